import { writeSync } from 'node:fs'
import { openObjects } from '../../../src/store/objects.ts'
import { replaceFile } from '../../../src/store/replace-file.ts'
import { writeInside } from '../../../src/store/write-inside.ts'

/** `file-replacer HOW DIRECTORY`: writes the versions 1 and 2 and prints each one that was acknowledged. */
const [how = '', directory = ''] = process.argv.slice(2)
const objects = openObjects(directory)
for (const version of [1, 2]) {
  const bytes = Buffer.from(`${version}`.repeat(20_000))
  const write = {
    replace: () => replaceFile(`${directory}/file`, bytes),
    inside: () => writeInside(directory, 'a/file', bytes),
    object: () => objects.put(bytes),
  }[how]
  const written = write?.()
  if (written?.ok === true) writeSync(1, `${written.value ?? version}\n`)
  else writeSync(1, `! ${JSON.stringify(written)}\n`)
}
