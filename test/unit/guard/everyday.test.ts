import { expect, it } from 'vitest'
import { deniedBy } from '../../support/denied-by.ts'

/** What coding agents run all day; one command on each line, `⏎` is a line break in one. None of it may be denied. */
const everyday = `
  git status --short && git diff --stat
  git add -A && git commit -m "Fix the parser" && git push
  git add src/guard test/unit && git commit -q -F - <<'EOF'⏎Read options as git does⏎⏎rm -rf / stays text here; so does $(whoami).⏎EOF
  git commit -m "$(cat <<'EOF'⏎feat: drop the old cache⏎⏎Run \`rm -rf node_modules\` and sudo nothing.⏎⏎Co-Authored-By: Someone <s@example.com>⏎EOF⏎)"
  git log --oneline -20 --graph --all
  git log -p --follow -- src/main.ts | head -200
  git show HEAD:src/main.ts > /tmp/main-before.ts && diff /tmp/main-before.ts src/main.ts
  git stash && npm test; git stash pop
  git checkout -b feature/login && git push -u origin feature/login
  git fetch origin && git rebase origin/main
  git diff main...HEAD --name-only | xargs npx eslint --fix
  git ls-files '*.ts' | xargs wc -l | sort -n | tail -5
  git grep -n "process.exit" -- 'src/**/*.ts'
  git blame -L 10,20 src/main.ts
  git worktree list && git branch -vv
  git tag v1.2.3 && git describe --tags
  git rm --cached dist/bundle.js
  git mv src/old.ts src/new.ts
  git bisect start HEAD v1.0 && git bisect run npm test
  git config user.email "dev@example.com" && git config user.name Dev
  npm ci && npm run build && npm test
  npm install --save-dev vitest@latest @types/node
  npm run lint -- --fix && npm run typecheck
  npm test -- --run test/unit/parser.test.ts 2>&1 | tail -40
  npm ls --depth=0 && npm outdated || true
  npm view react versions --json | jq '.[-5:]'
  npm uninstall left-pad && npm dedupe
  npm audit --omit=dev --json > /tmp/audit.json
  npx tsc --noEmit --pretty false | head -50
  npx prettier --write "src/**/*.{ts,tsx}"
  npx vitest run --coverage --reporter=verbose
  npx playwright install chromium && npx playwright test --project=chromium
  npx create-vite@latest app --template react-ts
  npx prisma generate && npx prisma migrate dev --name init
  npx -y tsx scripts/seed.ts
  pnpm install --frozen-lockfile && pnpm -r build
  yarn workspace web build && yarn test --watchAll=false
  bun install && bun test
  node -e "console.log(require('./package.json').version)"
  node --input-type=module -e "import fs from 'node:fs'; console.log(fs.readdirSync('src').length)"
  node --env-file=.env.example dist/server.js & sleep 2; curl -sf localhost:3000/health; kill %1
  NODE_ENV=test DEBUG=app:* node --test test/
  node server.js > /tmp/server.log 2>&1 & echo $! > /tmp/server.pid
  kill $(cat /tmp/server.pid) && rm -f /tmp/server.pid
  lsof -ti :3000 | xargs kill 2>/dev/null || true
  rm -rf node_modules package-lock.json && npm install
  rm -rf dist build .next .turbo coverage *.tsbuildinfo
  rm -f src/old.ts src/legacy/*.ts
  find . -name '*.orig' -not -path './node_modules/*' -delete
  find . -type d -name __pycache__ -exec rm -rf {} +
  find src -name '*.ts' -newer package.json -print0 | xargs -0 grep -l TODO
  find . -name node_modules -prune -o -name '*.md' -print
  find . -type f -size +1M -not -path './.git/*' -exec ls -lh {} \\;
  grep -rn "TODO\\|FIXME" src --include='*.ts' | wc -l
  grep -rnE "(api[_-]?key|secret|password)" src --include='*.ts' -i | head
  rg -n --hidden -g '!node_modules' 'rm -rf|sudo ' scripts docs
  sed -i 's/oldName/newName/g' $(grep -rl oldName src)
  sed -n '120,180p' src/main.ts
  sed -i.bak -e '/debug/d' config/app.yml && rm config/app.yml.bak
  awk -F, 'NR>1 {sum += $3} END {print sum/NR}' data/report.csv
  cat src/main.ts | head -100
  cat package.json | jq '.scripts'
  cat > src/util/sum.ts <<'EOF'⏎export const sum = (a: number, b: number) => a + b⏎// rm -rf / is only a comment⏎EOF
  cat <<'EOF' > scripts/clean.sh⏎#!/bin/sh⏎rm -rf dist⏎EOF⏎chmod +x scripts/clean.sh && ./scripts/clean.sh
  tee -a .gitignore <<< 'coverage/' > /dev/null
  printf '%s\\n' 'export default {}' > vite.config.ts
  mkdir -p src/{components,hooks,lib}/__tests__ && touch src/components/index.ts
  cp -r templates/basic examples/new && mv examples/new/_gitignore examples/new/.gitignore
  cp .env.example .env && sed -i 's/^PORT=.*/PORT=4000/' .env
  ln -sf ../shared/tsconfig.json tsconfig.base.json
  tar -czf /tmp/release.tgz dist package.json && tar -tzf /tmp/release.tgz | head
  unzip -o /tmp/download.zip -d vendor/
  diff -u expected.txt <(node dist/cli.js --help) || true
  for f in src/*.ts; do echo "== $f"; head -5 "$f"; done
  for i in 1 2 3; do curl -sf http://localhost:8080/health && break || sleep 1; done
  for pkg in packages/*; do (cd "$pkg" && npm test) || exit 1; done
  while read -r line; do echo "$line" | tr a-z A-Z; done < README.md
  until curl -s localhost:5432 >/dev/null; do sleep 1; done
  if [ -f yarn.lock ]; then yarn; else npm ci; fi
  set -euo pipefail; npm run build; ls -la dist
  export NODE_OPTIONS=--max-old-space-size=4096 && npm run build
  export PATH="$PWD/node_modules/.bin:$PATH" && eslint src
  cd packages/api && npm run build && cd ../web && npm run build
  (cd frontend && npm run build) && (cd backend && cargo build --release)
  pushd server && go vet ./... && popd
  timeout 120 npm test -- --bail 1 2>&1 | tee /tmp/test.log | tail -30
  time npm run build > /dev/null
  python3 -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt
  source .venv/bin/activate && pytest -x -q tests/unit -k "parser and not slow"
  pip install -e '.[dev]' && pip freeze | grep -i django
  python3 - <<'EOF'⏎import json, os⏎data = json.load(open('package.json'))⏎print(data['name'], os.getcwd())⏎EOF
  python3 -c "import sys, json; print(json.load(sys.stdin)['version'])" < package.json
  python3 -m http.server 8000 --directory dist &
  python manage.py makemigrations && python manage.py migrate
  python -m pytest --cov=src --cov-report=term-missing
  uv sync && uv run ruff check --fix . && uv run mypy src
  poetry install --no-root && poetry run black .
  cargo fmt --all && cargo clippy --all-targets -- -D warnings
  cargo test --workspace -- --nocapture test_parse 2>&1 | tail -50
  RUST_BACKTRACE=1 cargo run --example demo -- --input data.json
  go build ./... && go test -race -count=1 ./internal/...
  go mod tidy && git diff --exit-code go.mod go.sum
  make clean all -j8 && make test
  cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug && cmake --build build -j"$(nproc)"
  ./gradlew clean build -x test && ./gradlew test --tests '*ParserTest'
  mvn -q -DskipTests package && java -jar target/app.jar --version
  bundle install && bundle exec rspec spec/models
  bin/rails db:migrate && bin/rails test
  composer install && vendor/bin/phpunit --filter ParserTest
  dotnet restore && dotnet build --no-restore && dotnet test
  swift build && swift test --filter ParserTests
  mix deps.get && mix test
  docker build -t app:dev --build-arg VERSION=1 .
  docker compose up -d --build && docker compose logs --tail=50 api
  docker compose down && docker compose ps
  docker run --rm -it -v "$PWD":/app -w /app node:20 npm test
  docker run -d --name test-db -e POSTGRES_PASSWORD=test -p 5432:5432 postgres:16
  docker exec test-db psql -U postgres -c 'select version()'
  docker ps --format '{{.Names}}' | grep -q test-db || docker start test-db
  docker images | head && docker inspect app:dev --format '{{.Size}}'
  docker logs -f --since 5m api 2>&1 | head -100
  psql -h localhost -U postgres -d app_test -c 'select count(*) from users'
  PGPASSWORD=test psql -h localhost -U postgres app_test -f schema.sql
  sqlite3 data/dev.db '.schema users' && sqlite3 data/dev.db "select * from users limit 5"
  mysql -h 127.0.0.1 -u root -ptest -e 'show tables' app_test
  redis-cli -h localhost ping && redis-cli keys 'session:*'
  mongosh --quiet --eval 'db.users.countDocuments()' mongodb://localhost/app
  kubectl get pods -n staging -o wide && kubectl describe pod api-0 -n staging
  kubectl logs deploy/api -n staging --tail=100 | grep -i error
  kubectl apply --dry-run=client -f k8s/
  helm lint charts/app && helm template charts/app | head -50
  terraform fmt -check && terraform validate && terraform plan -out=/tmp/plan
  aws sts get-caller-identity && aws s3 ls s3://my-bucket/
  gcloud config list && gcloud projects list --limit 5
  gh pr create --title "Add login" --body "$(cat <<'EOF'⏎## What⏎- does not \`rm -rf ~\` any more⏎EOF⏎)"
  gh pr view 12 --json title,body,comments && gh pr checks 12
  gh issue list --label bug --limit 20 && gh run view --log-failed
  gh api repos/x/y/pulls/12/comments --jq '.[].body'
  curl -s http://localhost:3000/api/users | jq '.[0]'
  curl -sS -X POST http://localhost:3000/api/login -H 'Content-Type: application/json' -d '{"user":"a","password":"b"}' -c /tmp/cookies.txt
  curl -fsSL https://registry.npmjs.org/react/latest | jq -r .version
  curl -I https://example.com && curl -o /tmp/spec.yaml https://example.com/openapi.yaml
  curl -X POST -d @test/fixtures/order.json http://127.0.0.1:8080/orders
  wget -q https://example.com/data.csv -O data/raw.csv
  jq '.dependencies.react = "19.0.0"' package.json > tmp.json && mv tmp.json package.json
  ps aux | grep -v grep | grep node | head
  ls -la && du -sh node_modules dist 2>/dev/null && df -h .
  which node npm python3; node -v; echo "$PATH" | tr ':' '\\n'
  env | grep -E '^(NODE|npm)_' ; echo "home: $HOME, user: $USER"
  test -n "$OPENAI_API_KEY" && echo "key is set" || echo "key is missing"
  [[ -z "\${CI:-}" ]] && echo local || echo ci
  openssl rand -hex 32 && openssl req -x509 -newkey rsa:2048 -nodes -keyout /tmp/key.pem -out /tmp/cert.pem -days 1 -subj /CN=localhost
  base64 -w0 assets/logo.png | head -c 100
  xxd -l 64 assets/logo.png && file assets/logo.png
  chmod +x bin/cli.js && ./bin/cli.js --version
  chmod 644 README.md && chmod -R u+rwX,go+rX public
  watch -n 5 'git status --short'
  nohup npm run dev > /tmp/dev.log 2>&1 &
  sleep 5 && tail -20 /tmp/dev.log && pkill -f "vite --port 5173"
  echo "rm -rf / && sudo reboot" | wc -c
  echo 'DROP TABLE users;' > migrations/002_down.sql
  brew install jq ripgrep && brew list --versions jq
  sudo apt-get update && sudo apt-get install -y --no-install-recommends libpq-dev
  code --version; tsc --version; echo done
  T=$(mktemp -d) && cp -r src "$T" && (cd "$T" && ls) && rm -rf "$T"
  trap 'rm -f /tmp/lockfile' EXIT; touch /tmp/lockfile; npm run migrate
  printf 'y\\n' | npx ng analytics off || true
  ssh -T git@github.com 2>&1 | head -1
  nc -zv localhost 5432 && echo up
  comm -13 <(sort a.txt) <(sort b.txt)
  xargs -a files.txt -I{} cp {} backup/
  parallel -j4 npx eslint ::: src/a.ts src/b.ts
  ffmpeg -y -i input.mp4 -vf scale=640:-1 output.gif
  time (for i in $(seq 1 5); do node bench/run.js; done)
  ! grep -rn 'console.log' src || echo "found"
`

const commands = everyday
  .split('\n')
  .map((line) => line.trim().replaceAll('⏎', '\n'))
  .filter((line) => line !== '')

it('is a list of some length', () => expect(commands.length).toBeGreaterThan(150))

it.each(commands)('allows %s', (command) => expect(deniedBy(command)).toBe('allowed'))
