/** A file as the demo's agent writes it. */
export interface WrittenFile {
  readonly path: string
  readonly content: string
}

export const total: WrittenFile = {
  path: 'src/total.js',
  content: `'use strict'

/** What an order costs, in cents. */
function total(lines) {
  return lines.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0)
}

module.exports = { total }
`,
}

/** Right for every amount that a test has, and wrong for refunds: -5 becomes "-1.-5". */
export const amountWithoutRefunds: WrittenFile = {
  path: 'src/amount.js',
  content: `'use strict'

/** Cents as people write them: 1234 is 12.34. */
function amount(cents) {
  return \`\${Math.floor(cents / 100)}.\${String(cents % 100).padStart(2, '0')}\`
}

module.exports = { amount }
`,
}

export const amount: WrittenFile = {
  path: 'src/amount.js',
  content: `'use strict'

/** Cents as people write them: 1234 is 12.34, a refund of 5 is -0.05. */
function amount(cents) {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return \`\${cents < 0 ? '-' : ''}\${digits.slice(0, -2)}.\${digits.slice(-2)}\`
}

module.exports = { amount }
`,
}

export const refundTest: WrittenFile = {
  path: 'test/amount.test.js',
  content: `'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { amount } = require('../src/amount.js')

test('a refund has its sign in front', () => {
  assert.equal(amount(-5), '-0.05')
  assert.equal(amount(-1234), '-12.34')
})
`,
}

/** No columns at all: the test of the story fails on it. */
export const receiptWithoutColumns: WrittenFile = {
  path: 'src/receipt.js',
  content: `'use strict'
const { amount } = require('./amount.js')
const { total } = require('./total.js')

function receipt(lines) {
  const items = lines.map(({ quantity, name, cents }) => \`\${quantity} \${name} \${amount(quantity * cents)}\`)
  return [...items, \`Total \${amount(total(lines))}\`].join('\\n')
}

module.exports = { receipt }
`,
}

/** The test of the third story, made so easy that anything passes it. */
export const easierTest: WrittenFile = {
  path: 'acceptance/receipt.js',
  content: `'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { receipt } = require('../src/receipt.js')

test('prints something', () => {
  assert.ok(receipt([]).length > 0)
})
`,
}

export const receipt: WrittenFile = {
  path: 'src/receipt.js',
  content: `'use strict'
const { amount } = require('./amount.js')
const { total } = require('./total.js')

const width = 24

/** Text on the left, an amount on the right, exactly as wide as the paper. */
function row(left, cents) {
  const right = amount(cents)
  const room = width - right.length - 1
  return \`\${left.slice(0, room).padEnd(room)} \${right}\`
}

function receipt(lines) {
  const items = lines.map(({ quantity, name, cents }) => row(\`\${quantity} \${name}\`, quantity * cents))
  return [...items, '-'.repeat(width), row('Total', total(lines))].join('\\n')
}

module.exports = { receipt }
`,
}
