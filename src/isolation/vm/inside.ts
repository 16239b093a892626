/*
 * What is run inside of a box. All of it is bash without start files. A command is started by `runScript`, which writes down what
 * became of it: the client's own exit code says nothing (a box that is not there is 1, an answer that was lost is 0).
 */

export const bash = ['bash', '--norc', '-p', '-c'] as const

/** `$1` is the file, the rest the command. Without the first line bash would tell of a killed command among its errors. */
export const runScript = `exec 3>&2 2>/dev/null
f=$1; shift
PATH=$PATH:$HOME/.local/bin
echo started > "$f" || exit 125
command -v -- "$1" > /dev/null || { echo missing > "$f"; exit 127; }
"$@" 2>&3 3>&-
s=$?
echo "exit $s" > "$f"
exit $s`

/**
 * Ends everything that is not in the list of its start, and whatever carries the run's id, as root: first by TERM, then by KILL.
 * A box of another start (process 1 is another one) is told by `other`. Built-in commands only, but for `sleep`.
 *
 * `$1` a word for the answer, `$2` the file of `runScript`, `$3` the run's id, `$4` how many times 50 ms between TERM and KILL,
 * `$5` the list of the start, empty if it is not known; what `dropScript` wants to be written then.
 */
export const endScript = `exec 2>/dev/null
answer=$1 file=$2 run=$3 patience=$4 known=" $5 "
shift 5
stat() {
  local s
  read -r -d '' s < "/proc/$1/stat"
  [ -n "$s" ] || return 1
  s=\${s##*) }
  set -- $s
  state=$1 parent=$2 flags=$7 start=\${20}
}
carries() {
  local word
  while IFS= read -r -d '' word; do [ "$word" = "RALPH_RUN_ID=$run" ] && return; done < "/proc/$1/environ"
  return 1
}
mine=" $$ "
p=$$
while stat "$p" && [ "$parent" -gt 0 ]; do p=$parent; mine="$mine$p "; done
look() {
  left=()
  local d p
  for d in /proc/[0-9]*; do
    p=\${d#/proc/}
    stat "$p" || continue
    case $mine in *" $p "*) continue;; esac
    [ "$parent" = $$ ] && continue
    [ "$state" = Z ] || [ "$state" = X ] && continue
    (( flags & 0x200000 )) && continue
    if [ "$known" != "  " ]; then case $known in *" $p@$start "*) carries "$p" || continue;; esac
    else carries "$p" || continue; fi
    left+=("$p@$start")
  done
}
stat 1
case $known in "  "|*" 1@$start "*) ;; *) echo "$answer other"; exit;; esac
look
found=\${#left[@]} killed=0 round=0
while [ \${#left[@]} -gt 0 ] && [ $round -lt $((patience + 60)) ]; do
  [ $round = $patience ] && killed=\${#left[@]}
  for one in "\${left[@]}"; do
    p=\${one%@*}
    stat "$p" && [ "$p@$start" = "$one" ] || continue
    if [ $round -ge $patience ]; then kill -KILL "$p"; elif [ $round = 0 ]; then kill -TERM "$p"; kill -CONT "$p"; fi
  done
  sleep 0.05
  look
  round=$((round + 1))
done
became=none
[ -n "$file" ] && [ -f "$file" ] && { read -r became < "$file"; rm -f "$file"; }
text=$1; shift
for path in "$@"; do rm -rf -- "$path"; printf %s "$text" > "$path"; done
echo "$answer left \${#left[@]} found $found killed $killed became $became"`

/** Writes a text to files, or removes them if it is empty. `$1` a word for the answer, `$2` the text, then the files. */
export const dropScript = `answer=$1 text=$2; shift 2
rm -rf -- "$@"
[ -z "$text" ] || for path in "$@"; do printf %s "$text" > "$path" || exit 1; done
echo "$answer dropped"`

/** The list of the start: every process with its start time, and whether the setup came to its end. `$1` a word for the answer. */
export const startScript = `exec 2>/dev/null
list=
for d in /proc/[0-9]*; do
  p=\${d#/proc/}
  [ "$p" = $$ ] && continue
  s=
  read -r -d '' s < "/proc/$p/stat"
  [ -n "$s" ] || continue
  s=\${s##*) }
  set -- "$1" $s
  list="$list $p@\${21}"
done
[ -f "$HOME/.ralph-ready" ] && ready=ready || ready=unready
echo "$1 $ready$list"`

/** Writes stdin to `$2` in one step and prints what is there then. `$1` a word for the answer. */
export const writeScript = `mkdir -p -- "\${2%/*}" && t=$(mktemp -- "\${2%/*}/.ralph-draft-XXXXXXXXXXXX") && cat > "$t" && chmod 644 -- "$t" && mv -f -- "$t" "$2" &&
echo "$1 wrote $(sha256sum < "$2")"`

/**
 * The agent's own half of the setup: who commits, and in directories that may seem to be another user's. The last thing is a mark
 * without which a box was left half made. `$1` a word for the answer, `$2` … the directories.
 */
export const setupScript = `a=$1; shift
git config --global user.name 'Ralph Loop' && git config --global user.email ralph@localhost || exit 1
for d in "$@"; do git config --global --get-all safe.directory | grep -qxF -- "$d" || git config --global --add safe.directory "$d"; done
: > "$HOME/.ralph-ready" && echo "$a set up"`

/** Links the login to where it outlives the box, as root: the template's own may be root's. `$1` a word for the answer, `$2` our directory. */
export const loginScript = `u=$(getent passwd 1000 | cut -d: -f1); h=$(getent passwd 1000 | cut -d: -f6)
[ -d "$h" ] || { u=agent; h=/home/agent; }
rm -rf -- "$h/.claude" "$h/.claude.json" &&
ln -s -- "$2/.claude" "$h/.claude" && ln -s -- "$2/.claude.json" "$h/.claude.json" &&
{ chown -h -- "$u" "$h/.claude" "$h/.claude.json" || :; } &&
[ -f "$h/.claude.json" ] && echo "$1 linked"`
