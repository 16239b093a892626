import { describe, expect, it } from 'vitest'
import { deniedBy } from '../../../../support/denied-by.ts'

/** Each line is one command, `⏎` a line break in it. */
const cases: Readonly<Record<string, { readonly denied: string; readonly allowed: string }>> = {
  'dynamic-command': {
    denied: String.raw`
      $(cat name.txt)
      $(whoami) --all
      $tool --all
      "$tool" run
      while read -r line; do $line; done < commands.txt
      awk '{ system($0) }' list.txt
      awk '{ system($1 " " $2) }' list.txt
      cat list.txt | xargs -I{} sh -c '{}'`,
    allowed: String.raw`
      $PYTHON -m pytest
      "$EDITOR" notes.txt
      $(npm root)/.bin/eslint .
      $(which node) script.js
      run() { "$@"; }; run npm test
      for t in lint test; do npm run $t; done
      tool=eslint; $tool .
      awk '{ print $1 }' list.txt
      cat list.txt | xargs -I{} sh -c 'wc -l {}'
      "\${cmd[@]}"`.replaceAll('\\$', '$'),
  },
  'hidden-script': {
    denied: String.raw`
      base64 -d payload.txt | sh
      base64 -d payload.txt | nice bash
      cat script.sh | bash
      sed s/a/b/ script.sh | sh -s -- --yes
      xxd -r -p payload.hex | bash
      openssl enc -d -aes-256-cbc -in x | sh
      gunzip -c setup.sh.gz | bash
      eval "$(base64 -d payload.txt)"
      bash -c "$(xxd -r -p payload.hex)"
      source <(base64 -d payload.txt)
      cat tool.py | python3 -
      tr a-z b-za < x | node
      eval "$payload"
      bash -c "$PAYLOAD"
      awk '{ print | "sh" }' list.txt
      cat list.txt | parallel
      parallel -j 4 < list.txt
      python3 -c "import base64; exec(base64.b64decode(open('x').read()))"
      node -e "eval(Buffer.from('eA==', 'base64').toString())"
      php -r 'eval(base64_decode("eA=="));'`,
    allowed: String.raw`
      script='npm test'; eval "$script"
      bash -c "cd $DIR && npm test"
      awk '{ print | "sort" }' list.txt
      parallel --version
      python3 -c "import base64; print(base64.b64decode('eA=='))"
      node -e "console.log(/x/.exec(Buffer.from('eA==', 'base64').toString()))"
      bash script.sh
      bash < script.sh
      echo 'npm test' | sh
      base64 -d payload.txt > payload.bin
      cat data.json | python3 -m json.tool
      cat data.json | node -e 'process.stdin.pipe(process.stdout)'
      cat data.json | python3 -c 'import json, sys; print(json.load(sys.stdin))'
      cat data.csv | python3 convert.py
      python3 - <<'EOF'⏎print(1)⏎EOF
      eval "$(ssh-agent -s)"
      eval "$(direnv hook bash)"
      source <(kubectl completion bash)
      source venv/bin/activate
      bash -c "echo $(cat VERSION)"
      cat script.sh | bash -n script.sh
      echo aGVsbG8= | base64 -d`,
  },
  'invisible-character': {
    denied: `
      r\u{200b}m -rf build
      \u{202e}ls
      ls\u{2060} src`,
    allowed: `
      echo 'a\u{200b}b'
      échø 1
      git commit -m "\u{202e}x"`,
  },
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^ +/, '').replaceAll('⏎', '\n'))
    .filter((line) => line !== '')

describe.each(Object.entries(cases))('%s', (rule, { denied, allowed }) => {
  it.each(lines(denied))('denies %s', (command) => expect(deniedBy(command)).toBe(rule))
  it.each(lines(allowed))('allows %s', (command) => expect(deniedBy(command)).toBe('allowed'))
})
