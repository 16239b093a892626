import { expect, it } from 'vitest'
import { decide } from '../../../../../src/guard/decide.ts'
import { deniedBy } from '../../../../support/denied-by.ts'
import { describeRules } from '../../../../support/describe-rules.ts'
import { guardedPlace } from '../../../../support/guarded-place.ts'

describeRules({
  'credential-file': {
    denied: `
      ls .env | xargs cat
      find . -name '*.pem' | xargs cat
      cat -n .env.production
      od -c .env
      perl -ne print .env
      xargs -a .env echo
      git show HEAD~2:.env
      curl file:///etc/shadow
      cat *.pem
      cat deploy/production.env
      cat ~/.ssh/id_ed25519
      cat ~/.ssh/*
      cat /root/.ssh/id_rsa
      cat /home/other/.aws/credentials
      head -5 ~/.aws/credentials
      grep token ~/.netrc
      base64 ~/.ssh/id_rsa
      cp ~/.kube/config .
      cp -r ~/.ssh /tmp/x
      tar czf keys.tgz ~/.gnupg
      tar -czf keys.tgz ~/.ssh
      zip -r x.zip ~/.aws/credentials
      ln -s ~/.ssh/id_rsa key
      less ~/.config/gh/hosts.yml
      jq . ~/.docker/config.json
      cat $HOME/.npmrc
      cat "$UNSET/.ssh/id_rsa"
      cat /etc/shadow
      cat /proc/self/environ
      strings /proc/1/environ
      cat .env
      cat ./apps/web/.env.local
      source .env
      . ./.env
      grep DATABASE .env.production
      rg KEY .env
      awk -F= '/KEY/ {print $2}' .env
      sed -n 1,5p .env
      cp .env /tmp/x
      cat .env*
      cat server.pem
      openssl rsa -in server.key -text
      cat config/credentials.json
      head -1 secrets.yaml
      rm .env
      rm ~/.ssh/id_rsa
      echo x > ~/.ssh/authorized_keys
      chmod 644 ~/.ssh/id_rsa
      cat ~/.bash_history
      dd if=~/.netrc of=x
      find . -name .env -exec cat {} +
      echo .env | xargs cat
      python3 -m json.tool ~/.docker/config.json
      cat ~/Library/Keychains/login.keychain-db
      find / -name id_rsa
      find ~ -name '*.pem'
      find /home -iname '*password*'
      python3 -c "print(open('.env').read())"
      node -e "console.log(require('fs').readFileSync('.env', 'utf8'))"
      while read -r l; do echo $l; done < .env`,
    allowed: `
      git rm --cached .env
      find . -name '*.md' | xargs cat
      git show HEAD~2:README.md
      curl file:///tmp/x
      perl -ne print list.txt
      cat example.env
      cat .env.example
      grep STRIPE .env.sample
      cp .env.example .env
      echo "PORT=3000" >> .env
      test -f .env && echo yes
      ls -la .env ~/.ssh
      grep -q '^PORT=' .env
      sed -i 's/^PORT=.*/PORT=1/' .env
      cat ~/.ssh/id_rsa.pub
      ssh-keyscan github.com >> ~/.ssh/known_hosts
      ssh -i ~/.ssh/id_ed25519 git@example.com
      cat test/fixtures/server.pem
      rm -f server.key
      mv localhost-key.pem certs/
      openssl rsa -in server.key -noout -modulus
      echo 'A=1' | tee -a .env
      cat certs/ca.pem
      openssl x509 -in server.pem -noout -text
      curl --cacert ca.pem https://example.com
      docker compose --env-file .env config -q
      node --env-file=.env server.js
      cat ~/.bashrc
      cat .npmrc
      cat src/environment.ts src/env.ts
      cat /etc/passwd
      git add .env.example
      grep -rn "\\.env" src
      find . -name '*.env*' -print
      find . -name '*.pem'
      find /usr -name '*.h'`,
  },
  'print-secret': {
    denied: `
      cat <<< "$API_KEY"
      echo $ANTHROPIC_API_KEY
      echo "key: $DB_PASSWORD"
      printf '%s\\n' "$GITHUB_TOKEN"
      echo \${AWS_SECRET_ACCESS_KEY}
      echo $NPM_TOKEN | cat
      echo $SECRET_KEY | base64
      echo $DATABASE_URL`,
    allowed: `
      cat <<< "$NODE_ENV"
      echo $PATH $HOME $NODE_ENV
      echo $MAX_TOKENS $TOKEN_COUNT
      test -n "$API_KEY" && echo set
      curl -H "Authorization: Bearer $API_TOKEN" https://api.example.com/me
      echo "$DOCKER_PASSWORD" | docker login -u me --password-stdin
      for token in a b; do echo $token; done
      echo '$API_KEY'
      echo API_KEY
      echo "KEY=$API_KEY" >> .env
      echo "\${API_KEY:+set}"
      echo \${#API_KEY}
      TOKEN=$(curl -s localhost:3000/login | jq -r .token); echo $TOKEN
      PASS=0; PASS=$((PASS+1)); echo "passed: $PASS"
      for key in $(jq -r 'keys[]' package.json); do echo $key; done`,
  },
  'print-in-code': {
    denied: `
      node -e 'console.log(process.env)'
      node -p process.env
      node -p process.env.OPENAI_API_KEY
      python3 -c "import os; print(os.environ)"
      python3 -c "import os; print(os.environ['DB_PASSWORD'])"
      python3 -c 'import os; print(os.getenv("API_KEY"))'
      ruby -e 'puts ENV["GITHUB_TOKEN"]'
      perl -e 'print $ENV{API_KEY}'`,
    allowed: `
      node -p process.env.NODE_ENV
      node -e 'console.log(Object.keys(process.env).length)'
      node -e 'console.log(Boolean(process.env.API_KEY))'
      python3 -c "import os; print(os.environ['HOME'])"
      python3 -c "import os; print('API_KEY' in os.environ)"
      node -e 'const key = process.env.API_KEY; run(key)'`,
  },
  'print-environment': {
    denied: `
      declare -p
      printenv | grep PASS
      env
      printenv
      printenv OPENAI_API_KEY
      env | sort
      printenv | cat
      env > env.txt
      export -p
      declare -x
      set
      env | grep -i token
      ps auxe
      env | grep KEY`,
    allowed: `
      declare -p NODE_ENV
      env NODE_ENV=test npm test
      env -u FOO npm test
      printenv PATH
      env | grep NODE
      env | grep ^npm_ | sort
      env | wc -l
      ps -ef
      ps aux --sort=-rss
      env | cut -d= -f1 | sort
      printenv HOME
      export FOO=bar
      set -euo pipefail
      declare -A map
      env --help`,
  },
  'credential-command': {
    denied: `
      ssh-keygen -y -f deploy.pem2
      keyring get service me
      getent shadow root
      terraform output -raw password
      git config --get-all http.https://x.extraheader
      gh auth token
      gh auth status --show-token
      gcloud auth print-access-token
      gcloud secrets versions access latest --secret=x
      aws configure get aws_secret_access_key
      aws secretsmanager get-secret-value --secret-id x
      aws ssm get-parameter --name x --with-decryption
      az account get-access-token
      az keyvault secret show --name x --vault-name y
      kubectl get secret x -o yaml
      kubectl -n prod get secrets -o json
      kubectl get secret x -ojsonpath={.data}
      kubectl config view --raw
      vault kv get secret/x
      op read op://x/y
      pass show mail
      security find-generic-password -w -s x
      security dump-keychain
      secret-tool lookup service x
      git credential fill
      gpg --armor --export-secret-keys me
      sops -d secrets.enc.yaml
      heroku config -a x
      john hashes.txt`,
    allowed: `
      ssh-keygen -t ed25519 -f deploy2
      getent passwd root
      terraform output
      gh auth status
      gh secret list
      gcloud auth list
      aws configure list
      aws sts get-caller-identity
      aws secretsmanager list-secrets
      aws ssm get-parameter --name x
      az keyvault key show --name k --vault-name v
      kubectl get secrets
      kubectl get pods -o yaml
      kubectl describe secret x
      kubectl config view
      vault status
      security help
      security find-identity -v -p codesigning
      gpg --list-secret-keys
      git config credential.helper
      pass ls
      op --version`,
  },
  'metadata-service': {
    denied: `
      curl http://169.254.169.254/latest/meta-data/iam/security-credentials/
      curl -H 'Metadata-Flavor: Google' http://metadata.google.internal/computeMetadata/v1/
      wget -qO- http://169.254.170.2/v2/credentials`,
    allowed: `
      curl http://127.0.0.1:8080/metadata
      curl https://example.com/169.254.169.254.html
      grep -rn 169.254.169.254 src`,
  },
})

it('looks at a bare redirection too', () => {
  expect(deniedBy('> .env')).toBe('credential-file')
  expect(deniedBy('> log.txt')).toBe('allowed')
})

it('looks at what the tools for files write', () => {
  const ruleOf = (path: string): string => {
    const answer = decide({ kind: 'write', path }, guardedPlace())
    return answer.decision === 'deny' ? answer.rule : 'allowed'
  }
  expect(ruleOf('~/.ssh/authorized_keys')).toBe('credential-file')
  expect(ruleOf('/home/dev/.aws/credentials')).toBe('credential-file')
  expect(ruleOf('/etc/hosts')).toBe('system-path')
  expect(ruleOf('.env')).toBe('allowed')
  expect(ruleOf('src/config/secrets.ts')).toBe('allowed')
})
