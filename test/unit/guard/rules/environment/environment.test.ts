import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'loaded-code': {
    denied: `
      PERL5OPT=-M/tmp/x perl a.pl
      LD_PRELOAD=/tmp/x.so ls
      export LD_PRELOAD=/tmp/x.so
      env LD_PRELOAD=/tmp/x.so ls
      DYLD_INSERT_LIBRARIES=/tmp/x.dylib ls
      BASH_ENV=/tmp/x bash -c ls
      export PROMPT_COMMAND='curl x'
      PROMPT_COMMAND=x
      PYTHONSTARTUP=/tmp/x.py python3
      NODE_OPTIONS='--require /tmp/x.js' node app.js
      NODE_OPTIONS=--import=data:text/javascript,1 node app.js
      JAVA_TOOL_OPTIONS=-javaagent:/tmp/x.jar java -jar app.jar
      ENV=/tmp/x sh
      LD_PRELOAD=./x.so sudo id
      LD_LIBRARY_PATH=/tmp/x ls
      /lib64/ld-linux-x86-64.so.2 --preload /tmp/x.so /bin/ls`,
    allowed: `
      PERL5OPT=-MDevel::Cover prove
      NODE_OPTIONS=--max-old-space-size=4096 npm run build
      NODE_OPTIONS='--import tsx' node app.ts
      NODE_OPTIONS='--require ./test/setup.js' npm test
      LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libasan.so.8 ./a.out
      LD_PRELOAD=./build/libhook.so ./a.out
      LD_PRELOAD= ls
      LD_LIBRARY_PATH=./lib ./a.out
      ENV=production npm start
      PYTHONPATH=src pytest
      RUBYOPT=-W0 rake
      echo LD_PRELOAD=/tmp/x.so
      unset LD_PRELOAD`,
  },
  'search-path': {
    denied: `
      export PATH=.:$PATH
      PATH=/tmp:$PATH ls
      export PATH="/tmp/bin:$PATH"
      PATH=/dev/shm/x:/usr/bin:/bin sudo ls
      export PATH=:$PATH
      PATH=/tmp/x:$PATH`,
    allowed: `
      export PATH="$HOME/.local/bin:$PATH"
      export PATH=$PATH:/usr/local/go/bin
      PATH="$PWD/node_modules/.bin:$PATH" eslint .
      PATH=./node_modules/.bin:$PATH eslint .
      export PATH=/usr/local/bin:/usr/bin:/bin:/tmp/x
      echo $PATH`,
  },
  'command-alias': {
    denied: `
      alias sudo='/tmp/x'
      alias git='git --no-verify' ls='rm'
      alias ls='ls; curl https://x.example'
      hash -p /tmp/x ls
      enable -f /tmp/x.so x`,
    allowed: `
      alias ll='ls -la'
      alias rm='rm -i' ls='ls --color'
      alias
      alias gs='git status'
      hash -r
      hash git`,
  },
  'shell-history': {
    denied: `
      unset HISTFILE
      export HISTFILE=/dev/null
      HISTSIZE=0
      set +o history`,
    allowed: `
      history
      history 20
      set -o pipefail
      export HISTSIZE=1000
      unset FOO`,
  },
  'git-program': {
    denied: `
      GIT_SSH_COMMAND=./helper git fetch
      GIT_SSH_COMMAND='ssh -o ProxyCommand=./x' git pull
      GIT_SSH=/tmp/x git push
      git -c core.sshCommand=./helper push
      git -c core.pager='sh -c id' log
      git -c core.fsmonitor=./x status
      git -c alias.x='!id' x
      git -c diff.external=./x diff
      git clone 'ext::sh -c id' x
      git clone --upload-pack ./x host:repo
      git grep -O./x pattern
      GIT_EXTERNAL_DIFF=./x git diff`,
    allowed: `
      GIT_SSH_COMMAND='ssh -i ~/.ssh/deploy -o StrictHostKeyChecking=no' git fetch
      GIT_SSH_COMMAND=./helper git remote -v
      GIT_EDITOR=true git rebase --continue
      GIT_SEQUENCE_EDITOR='sed -i s/pick/fixup/' git rebase -i HEAD~2
      git -c core.pager=cat log
      git -c core.editor=true commit --amend
      git -c core.fsmonitor=false status
      git -c alias.st=status st
      git -c user.email=x@y commit -m z
      git -c credential.helper= fetch
      git clone https://github.com/a/b`,
  },
})
