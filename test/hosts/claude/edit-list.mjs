// What the scripted model does to ralph/tasks.json, called as its Bash tool would be: `edit-list.mjs submit|approve|reject|set [TEXT]`.
import { readFileSync, writeFileSync } from 'node:fs'

const [act, text = ''] = process.argv.slice(2)
const path = `${process.env.RALPH_DIR}/tasks.json`
const list = JSON.parse(readFileSync(path, 'utf8'))
const story = list.userStories.find(({ id }) => id === process.env.RALPH_STORY)
const reviewCount = story.reviewCount + 1
const changes = {
  submit: {
    reviewStatus: 'needs_review',
    reviewFeedback: '',
    notes: `${story.notes}${process.env.RALPH_MODE}: did it. `,
  },
  approve: { reviewStatus: 'approved', passes: true, reviewCount },
  reject: { reviewStatus: 'changes_requested', reviewFeedback: text, reviewCount },
}
Object.assign(story, act === 'set' ? JSON.parse(text) : changes[act])
writeFileSync(path, `${JSON.stringify(list, null, 2)}\n`)
