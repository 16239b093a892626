#!/bin/sh
# What hooks/hooks.json calls: hook.sh stop | pre-tool-use | post-tool-use | session-start
# Ends before node starts when there is nothing to do. Never reads stdin: dash takes 50 ms for 100 kB of it.

here=${0%/*}/hooks
loop=

# The directory of a running loop, in $loop: the nearest one with a marker, from the session's project upwards, or else
# from the working directory, which follows every cd of the model's.
in_loop() {
  for loop in "${CLAUDE_PROJECT_DIR:-}" "$PWD"; do
    while :; do
      case $loop in /* | '') ;; *) break ;; esac
      { [ -e "$loop/.ralph-active" ] || [ -h "$loop/.ralph-active" ]; } && return 0
      [ -n "$loop" ] || break
      loop=${loop%/*}
    done
  done
  loop=
  return 1
}

# Whether this session's own state can be named, in $context. It is private to the user: Claude Code keeps it for us.
has_state() {
  case ${CLAUDE_CODE_SESSION_ID:-} in '' | *[!A-Za-z0-9-]*) return 1 ;; esac
  case ${CLAUDE_PLUGIN_DATA:-} in /*) ;; *) return 1 ;; esac
  context=$CLAUDE_PLUGIN_DATA/context/$CLAUDE_CODE_SESSION_ID
}

# Whether the last usage in the transcript is still between the bounds that the last look left: look-LOW-HIGH, a link to
# the transcript. Where its end has no usage, or the result of a call after it (the message that made this call is then
# not written yet, Claude Code takes up to 100 ms), node has to look further.
too_early() {
  for look in "$context"/look-*; do :; done
  low=${look##*/look-}
  high=${low#*-}
  low=${low%-*}
  case $low$high in '' | *[!0-9]* | ?????????????????????????*) return 1 ;; esac
  # A session that keeps no transcript; one that had a transcript may have it elsewhere now.
  if ! [ -f "$look" ]; then [ -h "$look" ] && [ "$high" = 1 ]; return; fi
  tail -c 16384 "$look" 2>/dev/null | LC_ALL=C awk -v low="$low" -v high="$high" '
    function count(name, at) {
      at = index(rest, "\"" name "\":")
      return at ? substr(rest, at + length(name) + 3) + 0 : 0
    }
    /"compact_boundary"/ || /"tool_result"/ { used = 0 }
    /"assistant"/ && /"usage":/ && !/"isSidechain": *true/ {
      for (rest = $0; at = index(rest, "\"usage\":"); ) rest = substr(rest, at + 8)
      now = count("input_tokens") + count("cache_creation_input_tokens")
      now += count("cache_read_input_tokens") + count("output_tokens")
      if (now > 0) used = now
    }
    END { exit !(used > low && used < high) }'
}

# $node, with nothing in its environment that only makes it start slowly or run something else first. Never one from a
# relative entry of PATH, which would be the project's. Hooks start it with one helper thread for V8, since starting and
# ending four takes a millisecond.
find_node() {
  unset NODE_EXTRA_CA_CERTS NODE_OPTIONS
  node=
  set -f
  IFS=:
  for folder in $PATH; do
    case $folder in /*) ;; *) continue ;; esac
    if [ -f "$folder/node" ] && [ -x "$folder/node" ]; then
      node=$folder/node
      break
    fi
  done
  unset IFS
  set +f
  [ -n "$node" ]
}

nothing() {
  echo "ralph: node is not on PATH, so the $1 hook does nothing; install Node.js 20.19 or newer" >&2
  exit 0
}

# For hooks without which a session goes on all the same.
run() {
  find_node || nothing "$1"
  exec "$node" --v8-pool-size=1 "$here/$1.cjs" "$loop"
}

# Whose the marker is, in $whose: ours, of another session, or '' where its beginning does not tell. The runner writes the
# session among the first fields. In a session that is not the marker's neither node nor git starts, since whatever an agent
# wrote into .git is no business of that one.
look_whose() {
  whose=
  [ -n "${CLAUDE_CODE_SESSION_ID:-}" ] && [ -f "$loop/.ralph-active" ] && [ ! -h "$loop/.ralph-active" ] || return
  case $(head -c 600 "$loop/.ralph-active" 2>/dev/null) in
    *"\"sessionId\": \"$CLAUDE_CODE_SESSION_ID\""* | *"\"sessionId\":\"$CLAUDE_CODE_SESSION_ID\""*) whose=ours ;;
    *'"sessionId": "'[!\"]*'"'*) whose=another ;;
  esac
}

# Stop. Git looks while node starts, and writes to its descriptor 4. Nobody waits for a git that hangs: not this shell,
# for which it is in the background, and node not for ever. It takes the project's repository and none above it.
judge() {
  find_node || nothing stop
  exec 3<&0
  unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
  GIT_CEILING_DIRECTORIES=${loop%/*}
  export GIT_CEILING_DIRECTORIES
  {
    exec 3<&-
    git --no-optional-locks -c core.fsmonitor=false -C "$loop" status --porcelain=v2 --branch --no-ahead-behind -z \
      --untracked-files=all --no-renames --ignore-submodules=dirty 2>/dev/null &
  } | "$node" --v8-pool-size=1 "$here/stop.cjs" "$loop" 4 4<&0 <&3 3<&-
  exit 0
}

deny() {
  echo "Ralph's guard denies this call: $1. Nothing was run. The loop needs its guard; stop here and say so." >&2
  exit 2
}

# Everything but the guard's own answer is a denial: for Claude Code a crash or a timeout is leave to go on. A clean answer
# ends with 10, which a program that only happens to be called node does not know.
guard() {
  find_node || deny 'node is not on PATH'
  exec 3<&0
  "$node" --v8-pool-size=1 "$here/pre-tool-use.cjs" "$loop" waits <&3 3<&- &
  guard=$!
  exec 3<&-
  (
    exec >/dev/null 2>&1 </dev/null
    # Before the clock has started, $! is still the guard; and only KILL is not lost on a child that is just starting.
    trap '[ "$!" = "$guard" ] || kill -9 "$!"; exit' TERM
    sleep 10 &
    wait $!
    kill -9 "$guard"
  ) &
  watch=$!
  wait "$guard"
  code=$?
  {
    kill "$watch"
    wait "$watch"
  } 2>/dev/null
  case $code in
    10) exit 0 ;;
    2) deny 'it could not answer' ;;
    137) deny 'it did not answer in 10 seconds' ;;
    *) deny "it ended with $code" ;;
  esac
}

case ${1:-} in
  stop)
    in_loop || exit 0
    # What a runner started may as well be looked at by node.
    if [ -z "${RALPH_RUN_ID:-}" ]; then look_whose; else whose=; fi
    [ "$whose" = another ] && exit 0
    # Node counts the blocks in a directory in it, or else among everybody's temporary files.
    [ -d "${CLAUDE_PLUGIN_DATA:-}" ] || unset CLAUDE_PLUGIN_DATA
    judge
    ;;
  pre-tool-use)
    in_loop
    if [ -n "${RALPH_RUN_ID:-}" ] || [ "${RALPH_GUARD:-}" = always ]; then guard; fi
    [ -n "$loop" ] || exit 0
    look_whose
    # Who cannot be told here may be the user, whom no trouble of ours may touch.
    case $whose in
      ours) guard ;;
      '') run pre-tool-use ;;
    esac
    ;;
  post-tool-use)
    [ "${RALPH_CONTEXT_ALERTS:-}" = off ] && exit 0
    if has_state && too_early; then exit 0; fi
    if ! in_loop && [ "${RALPH_CONTEXT_ALERTS:-}" = loop ] && [ -z "${RALPH_RUN_ID:-}" ]; then exit 0; fi
    run post-tool-use
    ;;
  session-start)
    if ! has_state; then
      [ "${RALPH_CONTEXT_ALERTS:-}" = off ] || run post-tool-use
    elif [ -d "$context" ]; then
      rm -rf "$context" 2>/dev/null
    fi
    ;;
esac
exit 0
