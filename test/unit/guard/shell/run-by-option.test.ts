import { describe, expect, it } from 'vitest'
import { deniedBy } from '../../../support/denied-by.ts'
import { guardedPlace } from '../../../support/guarded-place.ts'

/** Each line is one command, `⏎` a line break in it. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll('⏎', '\n'))
    .filter((line) => line !== '')

describe('programs that run what an option or a variable says', () => {
  it.each(
    linesOf(String.raw`
      man --pager='rm -rf ~' ls
      less '+!rm -rf ~' README.md
      nodemon -x 'rm -rf ~'
      npx nodemon --exec='rm -rf ~'
      rg --pre 'rm -rf ~' word
      sort --compress-program 'rm -rf ~' list
      split --filter='rm -rf ~' list
      zip -T -TT 'rm -rf ~' out.zip list
      tar xf a.tar --to-command='rm -rf ~'
      tar cf a.tar --checkpoint=1 --checkpoint-action=exec='rm -rf ~' src
      scp -o 'ProxyCommand rm -rf ~' a host:b
      fzf --preview='rm -rf ~'
      fzf --bind 'ctrl-x:execute-silent(rm -rf ~)'
      tmux new-session -d -s a 'rm -rf ~'
      tmux send-keys -t a 'rm -rf ~' Enter
      screen -S a -dm rm -rf /usr
      ls | entr -s 'rm -rf ~'
      watchexec -e ts 'rm -rf ~'
      concurrently 'npm start' 'rm -rf ~'
      shx rm -rf /usr
      gdb -batch -ex 'shell rm -rf ~'
      sed '1e rm -rf ~' list
      sed -n 's/x/rm -rf ~/e' list
      sed -e 's|x|rm -rf ~|ge' list
      sed -n 'w /etc/profile' list
      sed 's/a/b/w /etc/profile' list
      git rebase -x 'rm -rf ~' main
      git submodule foreach --recursive 'rm -rf ~'
      GIT_EDITOR='rm -rf ~' git commit
      PAGER='rm -rf ~' man ls
      export EDITOR='rm -rf ~'; crontab -e
      make --eval='all:; rm -rf ~'
      make -f - <<'EOF'⏎all:⏎	@rm -rf ~⏎EOF
      env -C / rm -rf usr
      env --chdir=/ rm -rf usr
      sudo -D / rm -rf usr
      taskset --cpu-list=0 rm -rf /usr
      lua -e 'os.execute("rm -rf ~")'
      bash -c 'rm -rf $0' /usr
      find . -exec sh -c 'rm -rf "$1"' _ {} \;
      find . -delete -name '*.tmp'
      find . -fprint /etc/profile
      find . -name '*.ts' -fprintf /usr/lib/x '%p'
      find / -name '*.conf' | xargs rm -f
      git ls-files --others | xargs rm -rf
    `),
  )('is denied: %s', (command) => {
    expect(deniedBy(command)).not.toBe('allowed')
  })

  it.each(
    linesOf(String.raw`
      man --pager=cat ls
      less +G log.txt
      nodemon -x 'node server.js'
      rg --pre ./scripts/text.sh word
      sort --compress-program=gzip list
      split --filter='gzip > $FILE.gz' list
      tar cf a.tar --checkpoint=100 --checkpoint-action=dot src
      fzf --preview 'head -20 {}' --bind 'ctrl-r:reload(ls)'
      tmux new -d -s dev 'npm run dev'
      tmux send-keys -t dev 'npm test' Enter
      ls src/*.ts | entr -c npm test
      concurrently 'npm:watch' 'npm start'
      sed -e 's/remove/delete/g' -e '/^e /d' list
      sed -n '/w x/p' list
      sed 's/a/b/w changes.txt' list
      git rebase -x 'npm test' main
      GIT_EDITOR=true git rebase --continue
      make --eval='x:; echo hi' x
      env -C src ls
      find . -name '*.ts' -exec sh -c 'wc -l "$1"' _ {} \;
      find . -name '*.tmp' -fprint found.txt
      find src -name '*.orig' | xargs rm -f
    `),
  )('is allowed: %s', (command) => {
    expect(deniedBy(command)).toBe('allowed')
  })
})

describe('code in other languages', () => {
  it.each(
    linesOf(String.raw`
      tclsh <<< 'file delete -force /usr'
      expect -c 'spawn rm -rf /usr'
      Rscript -e 'system("rm -rf ~")'
      julia -e 'run(\`rm -rf /usr\`)'
      pwsh -Command 'Remove-Item -Recurse /usr'
      bun -e 'await Bun.$\`rm -rf /usr\`'
      perl -e 'open(F, ">/etc/passwd")'
      python3 -c "import os; os.removedirs('/usr/lib')"
      node -e "require('fs/promises').rm('/usr', {recursive: true})"
      node -e "require('fs').rmSync(process.env.HOME + '/work', {recursive: true})"
      python3 -c "import shutil, os; shutil.rmtree(os.path.expanduser('~/work'))"
      awk 'BEGIN { print "" > "/etc/passwd" }'
      gosu root rm -rf /usr
      perl -e 'unlink glob "/usr/lib/*"'
      bsdtar -xf a.tar -C /usr
    `),
  )('is denied: %s', (command) => {
    expect(deniedBy(command.replaceAll('\\`', '`'))).not.toBe('allowed')
  })

  it.each(
    linesOf(String.raw`
      tclsh <<< 'puts hi'
      expect -c 'spawn npm test'
      Rscript -e 'print(1)'
      julia -e 'println(1)'
      awk '$1 > "m" { print $2 }' list
      awk '{ print > "out.txt" }' list
    `),
  )('is allowed: %s', (command) => {
    expect(deniedBy(command)).toBe('allowed')
  })
})

describe('files that are written and then run', () => {
  it.each(
    linesOf(String.raw`
      echo 'rm -rf ~' > run.sh && sh run.sh
      cat > /tmp/run.sh <<'EOF'⏎cd /⏎rm -rf usr⏎EOF⏎bash -e /tmp/run.sh
      printf 'git reset --hard' > a; . ./a
      echo 'rm -rf ~' >> run.sh; chmod +x run.sh; ./run.sh
      cat > a.py <<'EOF'⏎import shutil⏎shutil.rmtree('/usr')⏎EOF⏎python3 a.py
      printf '#!/usr/bin/env python3\nimport os\nos.system("rm -rf ~")\n' > a && chmod +x a && ./a
    `),
  )('are read: %s', (command) => {
    expect(deniedBy(command)).not.toBe('allowed')
  })

  it.each(
    linesOf(String.raw`
      echo 'rm -rf ~' > notes.md && cat notes.md
      cat > t.sh <<'EOF'⏎npm test⏎EOF⏎bash t.sh
      echo 'print(1)' > a.py && python3 a.py
      echo 'rm -rf ~' > a.sh; sh b.sh
    `),
  )('are allowed where they do no harm: %s', (command) => {
    expect(deniedBy(command)).toBe('allowed')
  })
})

describe('hostile sizes', () => {
  it.each([
    ['a script of sed', `sed '${'s/a/b/;'.repeat(50_000)}' x`],
    ['one long expression of sed', `sed 's/${'a'.repeat(300_000)}' x`],
    ['bindings', `fzf --bind '${'execute('.repeat(50_000)}'`],
    ['a makefile', `make --eval='${'a:'.repeat(200_000)}'`],
    ['files', 'echo a > b; sh b; '.repeat(2000)],
  ])('%s are answered soon', (_, command) => {
    const start = performance.now()
    deniedBy(command, guardedPlace())
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
