import { lstatSync, renameSync, writeSync } from 'node:fs'

/** `path-swapper NAME EVIL`: exchanges the two again and again, as an agent's leftover process would, until its input ends. */
const [name = '', evil = ''] = process.argv.slice(2)

/** A directory that the victim has just made in the gap is in the way, and goes elsewhere. */
let inTheWay = 0

function move(from: string, to: string): void {
  for (;;) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (!lstatSync(to).isDirectory()) throw error
      renameSync(to, `${to}.${inTheWay++}`)
    }
  }
}

const swap = (): void => {
  for (let round = 0; round < 50; round++) {
    move(name, `${name}.good`)
    move(evil, name)
    move(name, evil)
    move(`${name}.good`, name)
  }
  setImmediate(swap)
}
process.stdin.on('end', () => process.exit(0)).resume()
swap()
writeSync(1, 'swapping\n')
