import { expect, it } from 'vitest'
import { deniedBy } from '../../../../support/denied-by.ts'
import { describeRules } from '../../../../support/describe-rules.ts'
import { guardedPlace } from '../../../../support/guarded-place.ts'

describeRules({
  'git-discard': {
    denied: `
      git reset --hard
      git reset --hard @{u}
      git reset -q --har HEAD~3
      git reset --merge
      git -C sub reset --hard
      git --git-dir=x/.git --work-tree x reset --hard
      git -c user.name=x reset --hard
      git -c alias.back=reset back --hard
      git -c 'alias.back=reset --hard' back
      GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0='reset --hard' git z
      git checkout -- src/main.ts
      git checkout .
      git checkout ./src
      git checkout *.ts
      git checkout README.md
      git checkout src
      git checkout HEAD -- .
      git checkout HEAD~2 src/main.ts
      git checkout abc1234def -- .
      git checkout -f
      git checkout --force other
      git checkout -qf main
      git checkout --pathspec-from-file=list.txt
      git checkout --ours .
      git restore src/main.ts
      git restore -SW src/main.ts
      git restore --staged --worktree .
      git restore --source=HEAD~1 src/main.ts
      git restore -s abc1234def .
      git restore -p
      git checkout $(git ls-files -m)
      git rebase -x 'git reset --hard' main
      git submodule foreach git reset --hard
      git ls-files -m | xargs git checkout --
      sh -c 'git reset --hard'
      cd src && git checkout main.ts
      git switch -f main
      git switch --discard main
      git merge --abort
      git rebase --abort
      git cherry-pick --abort
      git am --abort
      git worktree remove --force ../other
      git worktree remove ../other -f
      git submodule deinit -f lib
      git submodule update --init --force
      git checkout-index -fa
      git read-tree --reset -u HEAD
      git-reset --hard`,
    allowed: `
      git reset
      git reset --soft HEAD~1
      git reset --keep HEAD~1
      git reset HEAD src/main.ts
      git reset --hard --help
      git checkout main
      git checkout -b fix/reset-hard
      git checkout -B topic origin/main
      git checkout -
      git checkout --detach
      git checkout v1.2.3
      git checkout release/2.0
      git checkout --track origin/topic
      git checkout abc1234def -- src/main.ts README.md
      git checkout --theirs package-lock.json
      git restore --staged .
      git restore -S src/main.ts
      git restore --source=abc1234def src/main.ts
      git switch main
      git switch -c topic
      git switch -C force
      git merge --continue
      git merge --no-ff -m "--abort" topic
      git rebase --continue
      git rebase -i HEAD~3
      git cherry-pick -x abc1234
      git rebase -x 'npm test' main
      git checkout $(git describe --tags)
      git bisect run npm test
      git worktree remove ../other
      git worktree add --force ../other topic
      git submodule update --init --recursive
      git rm -f src/old.ts
      git commit -m "git reset --hard"
      git log --grep 'checkout -- .'
      git help reset
      echo git reset --hard`,
  },
  'git-clean': {
    denied: `
      git clean -f
      git clean -fd
      git clean -d --force
      git clean -qfd -- build
      git clean -i
      git -c clean.requireForce=false clean -d`,
    allowed: `
      git clean
      git clean -n
      git clean -nfd
      git clean --dry-run --force
      git clean -d
      git clean -fd --help`,
  },
  'git-stash': {
    denied: `
      git stash clear
      git stash drop
      git stash drop stash@{2}
      git stash drop -q`,
    allowed: `
      git stash
      git stash -u
      git stash push -m drop
      git stash pop
      git stash apply stash@{1}
      git stash list
      git stash show -p`,
  },
  'git-refs': {
    denied: `
      git tag -f v1
      git tag --force v1 HEAD~2
      git symbolic-ref -d HEAD
      git replace -d abc123
      git lfs prune
      git branch -D topic
      git branch -d --force topic
      git branch -fd topic
      git branch -rD origin/topic
      git tag -d v1
      git tag --delete v1 v2
      git update-ref -d refs/heads/topic`,
    allowed: `
      git symbolic-ref HEAD
      git replace --list
      git lfs prune --dry-run
      git tag -a v2 -m x
      git branch
      git branch -d topic
      git branch -M main
      git branch -f topic HEAD~1
      git branch --list '*-D*'
      git tag v1
      git tag -l 'v*'
      git tag -a v1 -m "-d"
      git update-ref refs/heads/topic HEAD`,
  },
  'git-history': {
    denied: `
      git filter-branch --tree-filter 'rm -f secret' HEAD
      git filter-repo --path secret --invert-paths
      git-filter-repo --force
      git reflog expire --expire=now --all
      git reflog delete HEAD@{1}
      git gc --prune=now
      git gc --aggressive --prune=all
      git prune
      git prune --expire=now
      bfg --delete-files id_rsa`,
    allowed: `
      git gc
      git gc --auto
      git gc --prune=2.weeks.ago
      git reflog
      git reflog show HEAD
      git reflog expire --dry-run --expire=now --all
      git prune -n
      git prune --expire=2.weeks.ago
      git remote prune origin
      git filter-repo --analyze
      git commit --amend --no-edit
      git rebase main`,
  },
  'git-push': {
    denied: `
      git push --force
      git push -f
      git push -uf origin topic
      git push origin main --force
      git push --forc origin main
      git push -f --force-with-lease
      git push origin +main
      git push origin +HEAD:main
      git push origin HEAD:+main
      git push origin :topic
      git push origin --delete topic
      git push -d origin v1
      git push --mirror
      git push --prune origin
      git -c alias.p=push p -f`,
    allowed: `
      git push
      git push -u origin HEAD
      git push origin main --tags
      git push --force-with-lease
      git push --force-with-lease=main:abc123 origin main
      git push --force-with-lease --force-if-includes
      git push -o ci.skip
      git push -o force
      git push origin HEAD:refs/heads/topic
      git push -n --force
      git fetch --force --prune
      git fetch origin +refs/heads/*:refs/remotes/origin/*`,
  },
  forge: {
    denied: `
      gh ruleset delete 4
      gh auth refresh -s delete_repo
      gh pr merge 12 --squash
      gh pr close 12
      gh issue close 3
      gh issue delete 3 --yes
      gh repo delete me/it --yes
      gh repo archive me/it
      gh repo edit --visibility public
      gh release delete v1
      gh release create v1 dist/*.tgz
      gh -R me/it release delete v1
      gh secret set TOKEN
      gh api -X DELETE repos/me/it
      gh api --method=DELETE /repos/me/it/git/refs/heads/x
      gh api -XPUT repos/me/it/pulls/1/merge
      gh api graphql -f query='mutation { deleteRef(input: {refId: "x"}) { clientMutationId } }'
      gh ssh-key add key.pub
      glab mr merge 1
      glab api -X DELETE projects/1`,
    allowed: `
      gh ruleset view 4
      gh pr create --title "delete the cache" --body "merge close"
      gh pr view 12 --json title
      gh pr checkout 12
      gh pr comment 12 --body "please merge"
      gh issue list --search "delete"
      gh issue create -t close -b merge
      gh issue view 3
      gh repo view
      gh repo clone me/it
      gh repo create me/it --private
      gh run list
      gh run watch
      gh release list
      gh release delete --help
      gh api repos/me/it/pulls
      gh api graphql -f query='{ viewer { login } }'
      gh workflow run ci.yml
      glab mr list`,
  },
  'other-history': {
    denied: `
      svn rm https://svn.example.org/x -m gone
      hg strip tip
      hg update -C default
      hg revert --all
      hg push -f
      svn revert -R .
      jj abandon
      fossil clean --force`,
    allowed: `
      svn rm old.txt
      hg status
      hg update default
      hg revert src/main.ts
      hg push
      svn revert src/main.ts
      svn status
      jj log`,
  },
})

it('denies to remove every file where nothing else is guarded', () => {
  const place = guardedPlace({ projects: [], gitDirs: [], cwd: '/srv/app' })
  expect(deniedBy('git rm -rf .', place)).toBe('git-discard')
  expect(deniedBy('git rm -rf --cached .', place)).toBe('allowed')
  expect(deniedBy('git rm -rf old', place)).toBe('allowed')
})
