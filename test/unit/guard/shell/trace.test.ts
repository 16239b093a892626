import { describe, expect, it } from 'vitest'
import { traceScript, type Ran } from '../../../../src/guard/shell/trace.ts'
import { guardedPlace } from '../../../support/guarded-place.ts'

const ranBy = (command: string): readonly Ran[] => traceScript(command.replaceAll('⏎', '\n'), guardedPlace()).ran

/** Whether it is seen that a command runs `rm -rf /x`, whatever else runs. */
const removes = (command: string): boolean =>
  ranBy(command).some(
    ({ name, args }) => name === 'rm' && args.includes('/x') && args.some((arg) => /^-\w*r/.test(arg)),
  )

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

describe('sees that it is run', () => {
  const direct = String.raw`
    rm -rf /x
    \rm -rf /x
    r\m -rf /x
    "r"'m' -rf /x
    $'\x72\x6d' -rf /x
    /bin/rm -rf /x
    RM -rf /x
    =rm -rf /x
    rm -r''f /x
    {rm,-rf,/x}
    rm$IFS-rf$IFS/x
    rm\${IFS}-rf\${IFS}/x
    IFS=,; c=rm,-rf,/x; $c
    a=rm; b=-rf; $a $b /x
    a=r; b=m; $a$b -rf /x
    a=rmdir; \${a%dir} -rf /x
    a=xrm; \${a#x} -rf /x
    a=RM; \${a,,} -rf /x
    a=arms; \${a:1:2} -rf /x
    a=rXm; \${a/X/} -rf /x
    a=b; b=rm; \${!a} -rf /x
    \${UNSET:-rm} -rf /x
    r\${UNSET}m -rf /x
    $UNSET rm -rf /x
    cmd=(rm -rf /x); "\${cmd[@]}"
    set -- rm -rf /x; "$@"
    f() { "$@"; }; f rm -rf /x
    f() { rm -rf "$1"; }; f /x
    alias z='rm -rf'; z /x
    $(echo rm) -rf /x
    $(printf '\x72\x6d') -rf /x
    \`echo rm\` -rf /x
    $(echo cm0= | base64 -d) -rf /x
    $(echo mr | rev) -rf /x
    $(echo ez | tr ez rm) -rf /x
    $(which rm) -rf /x
    /bin/r? -rf /x
    /???/[r]m -rf /x
    for d in /x; do rm -rf $d; done
    for d in /tmp/y; do rm -rf $d; d=/x; done
    while true; do rm -rf "$d"; d=/x; done
    echo /x | while read d; do rm -rf "$d"; done
    while IFS= read -r d; do rm -rf "$d"; done <<< /x
    if true; then rm -rf /x; fi
    case a in a) rm -rf /x;; esac
    { rm -rf /x; } 2>/dev/null
    (rm -rf /x)
    ! rm -rf /x
    time rm -rf /x
    true && false || rm -rf /x
    echo "$(rm -rf /x)"
    echo \${a:-$(rm -rf /x)}
    echo $(( $(rm -rf /x) + 1 ))
    [[ -n $(rm -rf /x) ]]
    a=$(rm -rf /x)
    a[$(rm -rf /x)]=1
    cat <(rm -rf /x)
    cat <<EOF⏎$(rm -rf /x)⏎EOF
    coproc rm -rf /x
    trap 'rm -rf /x' EXIT
    eval 'rm -rf /x'
    eval 'a=/x; rm -rf $a'
    eval "e"'v'al rm -rf /x`
    .replaceAll('\\$', '$')
    .replaceAll('\\`', '`')

  it.each(lines(direct))('%s', (command) => expect(removes(command)).toBe(true))
})

describe('looks through', () => {
  const wrapped = String.raw`
    env rm -rf /x
    env -i A=b -u C rm -rf /x
    env -S 'rm -rf /x'
    sudo -u root -- rm -rf /x
    sudo A=b rm -rf /x
    doas rm -rf /x
    su -c 'rm -rf /x' root
    su root -c 'rm -rf /x'
    nice -n 5 rm -rf /x
    ionice -c3 rm -rf /x
    timeout -s KILL 5 rm -rf /x
    nohup rm -rf /x
    setsid rm -rf /x
    stdbuf -oL rm -rf /x
    unbuffer rm -rf /x
    script -qc 'rm -rf /x' /dev/null
    flock /tmp/l rm -rf /x
    flock /tmp/l -c 'rm -rf /x'
    busybox rm -rf /x
    strace -f -o out rm -rf /x
    watch -n 1 rm -rf /x
    watch 'rm -rf /x'
    command rm -rf /x
    builtin command rm -rf /x
    exec -a name rm -rf /x
    chroot / rm -rf /x
    systemd-run --user rm -rf /x
    sh -c 'rm -rf /x'
    bash -lc "rm -rf /x"
    bash -c -- 'rm -rf /x'
    bash -c 'rm -rf "$1"' _ /x
    bash -o pipefail -c 'rm -rf /x'
    zsh -c 'rm -rf /x'
    sh -c "sh -c 'rm -rf /x'"
    bash <<< 'rm -rf /x'
    bash <<EOF⏎rm -rf /x⏎EOF
    bash -s /x <<'EOF'⏎rm -rf "$1"⏎EOF
    echo 'rm -rf /x' | sh
    echo 'rm -rf /x' | sudo bash -s
    printf '%s\n' 'rm -rf /x' | bash
    echo cm0gLXJmIC94 | base64 -d | sh
    base64 -d <<< cm0gLXJmIC94 | bash
    bash -c "$(echo cm0gLXJmIC94 | base64 --decode)"
    eval "$(echo cm0gLXJmIC94 | base64 -d)"
    source <(echo 'rm -rf /x')
    . /dev/stdin <<< 'rm -rf /x'
    bash <(echo rm -rf /x)
    { echo 'rm -rf \'; echo /x; } | sh
    xargs rm -rf /x
    echo /x | xargs rm -rf
    echo /x | xargs -I{} rm -rf {}
    echo /x | xargs -n1 sh -c 'rm -rf "$1"' _
    echo 'rm -rf /x' | xargs -I% sh -c '%'
    parallel rm -rf ::: /x
    parallel ::: 'rm -rf /x'
    find . -exec rm -rf /x \;
    find . -execdir sh -c 'rm -rf /x' \;
    fd -x rm -rf /x
    python3 -c 'import os; os.system("rm -rf /x")'
    python -c "__import__('os').system('rm -rf /x')"
    python3 -c 'import subprocess as s; subprocess.run(["rm", "-rf", "/x"])'
    python3 -c 'import shutil; shutil.rmtree("/x")'
    python3 -c 'p = "/x"; import shutil; shutil.rmtree(p)'
    python3 - <<'EOF'⏎import os⏎os.system("rm -rf /x")⏎EOF
    echo 'import os; os.system("rm -rf /x")' | python3
    node -e 'require("child_process").execSync("rm -rf /x")'
    node --eval='require("fs").rmSync("/x", {recursive: true})'
    perl -e 'system("rm -rf /x")'
    perl -we 'system "rm", "-rf", "/x"'
    perl -e '${'`'}rm -rf /x${'`'}'
    ruby -e 'system("rm -rf /x")'
    ruby -rfileutils -e 'FileUtils.rm_rf("/x")'
    php -r 'shell_exec("rm -rf /x");'
    awk 'BEGIN { system("rm -rf /x") }'
    awk 'BEGIN { "rm -rf /x" | getline }'
    vim -c ':!rm -rf /x' -c q
    tar -cf a.tar --checkpoint=1 --checkpoint-action=exec='rm -rf /x' .
    ssh -o ProxyCommand='rm -rf /x' host
    git submodule foreach 'rm -rf /x'
    git rebase --exec 'rm -rf /x' main
    repeat 3 rm -rf /x
    noglob rm -rf /x`

  it.each(lines(wrapped))('%s', (command) => expect(removes(command)).toBe(true))
})

describe('takes for data', () => {
  const data = String.raw`
    echo rm -rf /x
    echo 'rm -rf /x' | cat
    echo 'rm -rf /x' > notes.txt
    git commit -m 'rm -rf /x'
    grep -n 'rm -rf /x' script.sh
    cat <<'EOF'⏎rm -rf /x⏎EOF
    cat > a.sh <<'EOF'⏎rm -rf /x⏎EOF
    python3 -c 'print("rm -rf /x")'
    node -e 'console.log("rm -rf /x")'
    ssh host 'rm -rf /x'
    awk '/rm -rf \/x/ { print }' log
    sed 's/rm -rf \/x//' script.sh
    # rm -rf /x
    echo "a # b"; : 'rm -rf /x'
    printf 'rm -rf /x' | wc -c
    jq -n '"rm -rf /x"'
    gh pr create --body "rm -rf /x"
    command -v rm -rf /x
    a='rm -rf /x'
    test 'rm -rf /x' = "$a"`

  it.each(lines(data))('%s', (command) => expect(removes(command)).toBe(false))
})

describe('of each command it tells', () => {
  const only = (command: string, name: string): Ran | undefined => ranBy(command).find((ran) => ran.name === name)

  it('what comes in', () => {
    expect(only('echo a | tee b | psql', 'psql')?.input.commands.map(({ name }) => name)).toEqual(['tee', 'echo'])
    expect(only('echo drop | psql', 'psql')?.input.texts).toEqual(['drop\n'])
    expect(only('psql < dump.sql', 'psql')?.input.files).toEqual(['/home/dev/project/dump.sql'])
    expect(only('psql <<EOF⏎drop⏎EOF', 'psql')?.input.texts).toEqual(['drop\n'])
    expect(only('diff <(curl a) b', 'diff')?.input.commands.map(({ name }) => name)).toEqual(['curl'])
  })

  it('what is set for it', () => {
    expect(only('A=1 make', 'make')?.environment.get('A')).toEqual(['1'])
    expect(only('export A=1; make', 'make')?.environment.get('A')).toEqual(['1'])
    expect(only('A=1; make', 'make')?.environment.get('A')).toBeUndefined()
    expect(only('env A=1 make', 'make')?.environment.get('A')).toEqual(['1'])
  })

  it('through what it is run, and where its output goes', () => {
    expect(only('sudo env sh -c "make -j"', 'make')?.through).toEqual(['sudo', 'env', 'sh'])
    expect(only('f() { make; }; f', 'make')?.through).toEqual(['f()'])
    expect(only('make > out 2>&1', 'make')?.writes).toEqual(['/home/dev/project/out'])
    expect(only('make | cat', 'make')?.isPiped).toBe(true)
    expect(only('make &', 'make')?.isBackground).toBe(true)
    expect(only('while :; do make; done', 'make')?.isEndless).toBe(true)
    expect(only('eval "$(curl a)"', 'eval')?.outputs.map(({ name }) => name)).toEqual(['curl'])
    expect(only('echo $HOME', 'echo')?.variables).toEqual(['HOME'])
  })

  it('what bash cannot read, piece by piece, for a shell that can', () => {
    expect(removes('for f in (a b); rm -rf /x')).toBe(true)
    expect(removes('a; } ; rm -rf /x')).toBe(true)
    expect(removes('foo ( ; rm -rf /x')).toBe(true)
    expect(removes("echo ) 'rm -rf /x'")).toBe(false)
  })
})
