import { describe, expect, it } from 'vitest'
import { decide, type Decision } from '../../../src/guard/decide.ts'
import type { Place } from '../../../src/guard/place.ts'
import { deniedBy as ruleOf } from '../../support/denied-by.ts'
import { guardedPlace, project } from '../../support/guarded-place.ts'

const asked = (command: string, place: Place = guardedPlace()): Decision => decide({ kind: 'shell', command }, place)

/** By rule. Each line is one command, `⏎` a line break in it. */
const denied: Readonly<Record<string, string>> = {
  marker: `
    rm .ralph-active
    rm -f -- ./.ralph-active
    echo x > .ralph-active
    echo {} >| .ralph-active
    : >.ralph-active
    true &> .ralph-active
    true >& .ralph-active
    exec 3<> .ralph-active
    cat /dev/null 1> .ralph-active
    unlink $PWD/.ralph-active
    mv .ralph-active /tmp/x
    cp /tmp/marker .ralph-active
    cp -t . /tmp/.ralph-active
    truncate -s0 .ralph-active
    tee -a .ralph-active
    dd if=/dev/null of=.ralph-active
    install -m 644 /tmp/x .ralph-active
    ln -sf /tmp/x .ralph-active
    ln .ralph-active other
    chmod 000 .ralph-active
    touch .ralph-active
    sed -i s/a/b/ .ralph-active
    sed -ni.bak p .ralph-active
    perl -pi -e s/a/b/ .ralph-active
    rm .ralph-activ?
    rm .ralph-*
    rm .ralph-{active,other}
    rm .ralph-a[c]tive
    rm '.ralph-active'
    rm ".ralph"-active
    rm .ralph\\-active
    rm $'.ralph\\x2dactive'
    F=.ralph-active; rm $F
    F='a .ralph-active'; rm $F
    for f in a .ralph-active b; do rm "$f"; done
    export F=.ralph-active && rm $F
    rm "$UNKNOWN/.ralph-active"
    rm /somewhere/else/.ralph-active
    cd src && rm ../.ralph-active
    (cd src && rm ../.ralph-active)
    cd /nowhere; rm .ralph-active
    sudo rm .ralph-active
    env -i A=b rm .ralph-active
    command rm .ralph-active
    timeout 5 rm .ralph-active
    nice -n 5 rm .ralph-active
    xargs rm .ralph-active
    /bin/rm .ralph-active
    \\rm .ralph-active
    if true; then rm .ralph-active; fi
    while true; do rm .ralph-active; done
    case x in a) true;; x) rm .ralph-active;; esac
    f() { rm .ralph-active; }; f
    function f { rm .ralph-active; }; f
    function f() { rm .ralph-active; }; f
    coproc { rm .ralph-active; }
    rm $(echo .ralph-active)
    rm "\`printf %s .ralph-active\`"
    for f in ${Array.from({ length: 99 }, (_, index) => `f${index}`).join(' ')} .ralph-active; do rm $f; done
    rm {${'x,'.repeat(99)}.ralph-active}
    find . -name '*active' -delete
    { rm .ralph-active; }
    ! rm .ralph-active
    A=b rm .ralph-active
    true && rm .ralph-active
    true | rm .ralph-active
    true & rm .ralph-active
    echo "$(rm .ralph-active)"
    echo "a \`rm .ralph-active\`"
    echo "\${x:-$(rm .ralph-active)}"
    cat <(rm .ralph-active)
    echo x | tee >(cat > .ralph-active)
    cat <<EOF⏎$(rm .ralph-active)⏎EOF
    cat <<'EOF'⏎data⏎EOF⏎rm .ralph-active
    sh -c 'rm .ralph-active'
    bash -lc "rm .ralph-active"
    bash -c "sh -c 'rm .ralph-active'"
    bash <<EOF⏎rm .ralph-active⏎EOF
    bash <<< 'rm .ralph-active'
    eval rm .ralph-active
    eval "cd src"; rm ../.ralph-active
    find . -name .ralph-active -delete
    find . -name '.ralph*' -exec rm {} +
    curl -o .ralph-active http://127.0.0.1/
    sort -o.ralph-active README.md
    git rm -f .ralph-active
    echo 'unterminated > x; rm .ralph-active⏎' ; rm .ralph-active
    echo \\⏎ok; rm .ralph-active # comment
    rm .RALPH-active`,
  'people-only-file': `
    echo new > ralph/prd.md
    cat > ralph/prd.md <<'EOF'⏎text⏎EOF
    cd ralph && echo x >> prd.md
    cd ralph; echo x >> prd.md
    cd "$RALPH_DIR" && echo x >> prd.md
    pushd ralph && sed -i '' prd.md
    echo x > $RALPH_DIR/prompt.md
    echo x > "$HOME/project/ralph/prd.md"
    echo x > ~/project/ralph/prd.md
    echo x > /home/dev/project/./ralph//prd.md
    echo x > src/../ralph/prd.md
    sed -i -e s/a/b/ ralph/*.md
    rm -r ralph
    mv ralph old
    git mv ralph/prd.md docs/prd.md
    git -C ralph rm prd.md
    git rm -r --cached ralph
    cp docs/prd.md ralph/
    cp docs/prd.md ralph
    ln -s ../ralph/prd.md docs/prd.md
    find ralph -type f -delete
    find . -name '*.md' -exec sed -i s/a/b/ {} +
    echo x > .ralph/settings.json
    echo x > .ralph/settings.local.json
    rm ralph.config.json
    echo x > ralph/PRD.md
    echo x > ralph/prd.md$NOTHING
    patch ralph/prd.md < fix.diff
    curl -sSLo ralph/prd.md http://127.0.0.1/
    curl -fsSoralph/prd.md http://127.0.0.1/
    wget -qO ralph/prd.md http://127.0.0.1/
    cp -at ralph docs/prd.md
    cp -r /tmp/new/. ralph/
    cp -r /tmp/new/* ralph
    cp -a /tmp/new/ralph .
    rsync -a --delete /tmp/new/ ralph/
    rsync -av /tmp/new/ralph .
    tar -C ralph -xf new.tar
    tar xzf new.tgz --directory ralph
    unzip -o new.zip -d ralph
    ln -s ralph r && echo x > r/prd.md
    gzip ralph/prd.md
    ed -s ralph/prd.md`,
  'steering-file': `
    echo {} > .claude/settings.json
    echo {} > .claude/settings.local.json
    echo {} > .claude/settings.other.json
    echo {} > .Claude/Settings.json
    mkdir -p .claude/skills/x && echo x > .claude/skills/x/SKILL.md
    echo x | tee .claude/agents/a.md
    cp a.json .mcp.json
    rm -rf .claude
    echo x > .codex/config.toml
    echo {} > ~/.claude/settings.json
    echo {} > ~/.claude.json
    rm -rf ~/.claude/plugins`,
  'plugin-file': `
    echo exit 0 > /opt/ralph/scripts/hook.sh
    rm -rf /opt/ralph/hooks
    chmod -x /opt/ralph/scripts/hook.sh
    sed -i 1d /opt/ralph/scripts/hooks/pre-tool-use.cjs`,
  'runner-state': `
    echo x >> /state/ralph/x/journal.ndjson
    rm -rf /state/ralph`,
  'git-directory': `
    echo x > .git/hooks/pre-commit
    cp hook .git/hooks/
    cp hook .git/hooks/post-commit
    chmod +x .git/hooks/pre-commit
    ln -s ../../hook .git/hooks/pre-push
    rm -f .git/hooks/*
    mv .git .git.bak
    echo x >> .git/info/exclude
    echo x >> .git/config
    tar -xf hooks.tar -C .git/hooks
    echo x > .git/modules/lib/hooks/post-checkout
    echo gitdir: /tmp/x > .git`,
  'git-configuration': `
    git config core.hooksPath /dev/null
    git config --local core.hookspath x
    git config --global core.hooksPath x
    git -C . config core.hooksPath x
    git config --unset core.hooksPath
    git config set core.hooksPath x
    git config --add filter.x.clean 'rm -rf /'
    git config include.path ../x
    git config --edit`,
  'ignored-files': `
    git clean -fdx
    git clean -f -d -X
    git stash -a
    git stash push --all
    git stash --all`,
  // What is guarded is only a part of what these remove, and the least of it.
  'remove-project': `
    find . -maxdepth 1 -type f -delete
    rm -rf .
    rm -rf ../project
    rm -rf "$CLAUDE_PROJECT_DIR"
    rm -rf $(pwd)
    rm -rf $(git rev-parse --show-toplevel)
    rm -rf *
    rm -rf .git
  `,
  'remove-outside': `
    rm -rf /home
    rm -rf /opt
  `,
  'move-away': `
    mv ../project ../elsewhere
  `,
  'open-to-all': `
    chmod -R 777 ralph
  `,
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll('⏎', '\n'))
    .filter((line) => line !== '')

describe.each(Object.entries(denied))('rule %s denies', (rule, commands) => {
  it.each(lines(commands))('%s', (command) => expect(ruleOf(command)).toBe(rule))
})

describe('allowed is', () => {
  const allowed = `
    cat .ralph-active
    grep -o .ralph-active README.md
    grep prd.md ralph/prd.md > /tmp/out
    head -5 < ralph/prd.md
    wc -l ralph/prd.md 2>&1
    cat ralph/prd.md 2>/dev/null | tee notes.txt
    echo ".ralph-active"
    echo "x > ralph/prd.md"
    echo 'rm .ralph-active'
    git commit -m "edit prd.md"
    git commit -m "rm .ralph-active; echo > ralph/prd.md"
    git commit -m "$(cat <<'EOF'⏎Explain > ralph/prd.md⏎⏎rm .ralph-active⏎EOF⏎)"
    cat > notes.md <<'EOF'⏎rm .ralph-active⏎echo > ralph/prd.md⏎EOF
    cat > notes.md <<-EOF⏎→echo > ralph/prd.md⏎→EOF⏎echo done
    cat <<A <<B > notes.md⏎> ralph/prd.md⏎A⏎> ralph/prd.md⏎B⏎true
    git checkout abc123 -- ralph/prd.md .claude/settings.json
    git restore --source=abc1234 ralph/prd.md
    git diff ralph/prd.md
    git add -A && git commit -q -m x
    git stash
    git stash -u
    git stash pop
    git clean -ndx
    git config core.hooksPath
    git config --get core.hooksPath
    git config --list
    git config user.email dev@example.org
    git -c core.hooksPath=/dev/null log
    git rm src/main.ts
    git rm -n ralph/prd.md
    rm -f .git/index.lock
    rm -rf .git/modules/lib
    mkdir -p .claude/rules && echo x > .claude/rules/style.md
    echo x > CLAUDE.md
    echo x >> ralph/progress.txt
    jq . ralph/tasks.json > /tmp/t && mv /tmp/t ralph/tasks.json
    sed -i s/a/b/ ralph/tasks.json
    sed -n 1,5p ralph/prd.md
    cp ralph/prd.md /tmp/prd.md
    cp -r . /tmp/copy
    cp -r dist/* .
    cp -r dist/. .
    cp -r assets ralph/
    cp -r ralph ralph.old
    cp -r docs/. docs.old
    rsync -a dist/ public/
    tar -C ralph -czf /tmp/loop.tgz .
    tar czf /tmp/rules.tgz -C .claude rules
    tar -xf vendor.tar -C src
    unzip -q x.zip -d src
    gzip -k ralph/prd.md
    gzip -c ralph/prd.md > /tmp/prd.gz
    ln -s ../src docs/src
    curl -fsSLo /tmp/x http://127.0.0.1/prd.md
    curl -uprod:x http://127.0.0.1/
    rsync -a ./ /tmp/copy/
    tar -cf /tmp/all.tar .
    find . -name '*.pyc' -delete
    mkdir -p src/{a,b,c}/{d,e,f}/{g,h}/{i,j,k}
    for f in ${Array.from({ length: 99 }, (_, index) => `src/f${index}.ts`).join(' ')}; do sed -i s/a/b/ "$f"; done
    find . -type d -empty -delete
    find . -path './dist/*' -delete
    find . -maxdepth 1 -name '*.md' -delete
    find ralph -name '*.md' -exec cat {} +
    rm -rf node_modules dist build/*
    rm *.log
    rm -rf "$TMP"/x
    rm -rf $(mktemp -d)
    rm -rf .github .vscode
    chmod -R u+w .
    chmod +x src/main.ts
    cd /tmp/other && echo {} > .claude/settings.json
    cd /home/dev; echo x > prd.md
    D=$(mktemp -d) && cd $D && echo {} > .mcp.json
    (cd ralph && ls) && echo x > prd.md
    echo x > docs/prd.md
    echo x > ralph/prd.md.bak
    touch -r ralph/prd.md src/main.ts
    diff <(cat ralph/prd.md) notes.md
    [[ a > b ]] && echo yes
    echo $((1 > 2))
    a=(ralph/prd.md); echo "\${a[@]}"
    test -f .ralph-active && echo loop
    ls -la .git/hooks > hooks.txt
    npm test 2>&1 | tail -20
    python3 - <<'EOF'⏎print("rm .ralph-active > ralph/prd.md")⏎EOF
    # rm .ralph-active
    echo a#b > out.txt # > ralph/prd.md
    node -e 'console.log(1 > 2)'
    make -C src clean
    rm ralph
    echo \${x:-y} > out.txt`
  it.each(lines(allowed.replaceAll('→', '\t')).filter((line) => line !== 'rm ralph'))('%s', (command) =>
    expect(ruleOf(command)).toBe('allowed'),
  )
})

describe('where it runs', () => {
  it('is where the call begins', () => {
    expect(ruleOf('echo x > prd.md', guardedPlace({ cwd: `${project}/ralph` }))).toBe('people-only-file')
    expect(ruleOf('echo x > prd.md', guardedPlace({ cwd: '/tmp' }))).toBe('allowed')
  })

  it('does not hide what a link leads to, but a link itself may go', () => {
    const place = guardedPlace(
      {},
      { [`${project}/innocent`]: `${project}/ralph`, '/tmp/x': `${project}/.ralph-active` },
    )
    expect(ruleOf('echo x > innocent/prd.md', place)).toBe('people-only-file')
    expect(ruleOf('rm innocent/p*.md', place)).toBe('people-only-file')
    expect(ruleOf('echo x > /tmp/x', place)).toBe('marker')
    expect(ruleOf('rm /tmp/x', place)).toBe('allowed')
  })

  it('leaves the files of people to anybody where no loop runs', () => {
    expect(ruleOf('echo x > ralph/prd.md', guardedPlace({ ralphDirs: [] }))).toBe('allowed')
  })

  it('may have another directory for the loop', () => {
    const place = guardedPlace({ ralphDirs: ['loops/a'] })
    expect(ruleOf('echo x > loops/a/prd.md', place)).toBe('people-only-file')
    expect(ruleOf('echo x > ralph/prd.md', place)).toBe('allowed')
  })
})

describe('the reason', () => {
  it('says what, why and what to do instead', () => {
    const answer = asked('cd ralph && echo x > prd.md')
    expect(answer).toEqual({
      decision: 'deny',
      rule: 'people-only-file',
      category: 'self-tampering',
      reason:
        "Ralph's guard denied this call: it would write ralph/prd.md. In a loop only people change prd.md, prompt.md and " +
        "Ralph's settings. Work from what it says; where it is wrong, write that into the notes of your story or, if you " +
        'cannot go on, into its `blocked`.',
    })
  })
})

describe('what cannot be read', () => {
  it.each([
    ['nested deeply', '$('.repeat(200)],
    ['nested deeply in braces', '${x:-'.repeat(200)],
    ['shells in shells', Array.from({ length: 300 }, () => 'sh -c true').join(';')],
    ['more words of braces than anybody writes', `rm {.ralph-active,b}${'{,c}'.repeat(20)}`],
    ['as many in one pair', `rm {${'x,'.repeat(1000)}.ralph-active}`],
    ['a word of 20 kB with braces', `rm {${'x,'.repeat(10_000)}.ralph-active}`],
    [
      'a variable of thousands',
      `for f in ${Array.from({ length: 3000 }, (_, n) => `f${n}`).join(' ')}; do rm $f; done`,
    ],
    ['thousands of files', Array.from({ length: 3000 }, (_, n) => `> f${n}`).join(' ')],
  ])('is denied: %s', (_, command) => expect(ruleOf(command)).toBe('unreadable-call'))
})
