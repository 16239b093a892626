import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'fill-disk': {
    denied: `
      cat /dev/urandom | base64 > noise.txt
      yes > big.txt
      yes abc >> /tmp/x
      cat /dev/zero > big
      cat /dev/urandom > /tmp/x
      dd if=/dev/zero of=big bs=1M
      dd if=/dev/zero of=big
      dd if=/dev/zero of=big bs=1G count=500
      fallocate -l 500G big
      fallocate --length=1TiB big
      truncate -s 100T big
      head -c 200G /dev/zero > big
      tail /dev/zero`,
    allowed: `
      cat /dev/urandom | base64 | head -c 100 > noise.txt
      yes | npm init
      yes '' | head -n 3 > answers.txt
      dd if=/dev/zero of=disk.img bs=1M count=100
      dd if=/dev/urandom of=key.bin bs=32 count=1
      fallocate -l 1G disk.img
      truncate -s 0 log.txt
      truncate -s 10G sparse.img
      head -c 1M /dev/urandom > random.bin
      cat /dev/urandom | head -c 10`,
  },
  exhaust: {
    denied: `
      while true; do :; done
      stress --cpu 8
      stress-ng --vm 4 --vm-bytes 90%
      ping -f example.com
      ab -n 100000 -c 500 https://example.com/
      wrk -t12 -c400 -d30s https://example.com/
      perl -e 'fork while fork'
      python3 -c 'import os⏎while True: os.fork()'
      ruby -e 'fork while true'
      :(){ :|:& };:
      :(){:|:&};:
      bomb() { bomb | bomb & }; bomb
      f() { f & f & }; f
      while true; do sleep 1000 & done
      while :; do ./run.sh & done
      for ((;;)); do ./run.sh & done`,
    allowed: `
      while read -r line; do :; done < list.txt
      ab -n 100 -c 10 http://localhost:3000/
      npx autocannon http://localhost:3000
      wrk -t2 -c10 -d5s http://127.0.0.1:8080/
      ping -c 3 example.com
      while true; do sleep 1; done
      while true; do npm test; sleep 5; done &
      for i in 1 2 3; do node bench.js & done; wait
      log() { echo "$1" | tee -a log.txt; }; log hi
      retry() { "$@" || retry "$@"; }; retry npm test
      npm run dev &
      python3 -c 'import os; print(os.fork.__doc__)'`,
  },
})
