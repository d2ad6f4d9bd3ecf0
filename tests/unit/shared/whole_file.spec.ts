import { writeWhole } from '#shared/whole_file'
import { test } from '@japa/runner'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

test.group('A file that is whole or not there', (group) => {
  let directory: string
  group.each.setup(async () => {
    directory = await mkdtemp(join(tmpdir(), 'whole-'))
    return () => rm(directory, { recursive: true })
  })

  test('replaces the former one, and only we may read it', async ({ assert }) => {
    const path = join(directory, 'mark.json')
    await writeWhole(path, 'a longer text')
    await writeWhole(path, 'new')
    assert.equal(await readFile(path, 'utf8'), 'new')
    const { mode } = await stat(path)
    assert.equal(mode & 0o777, 0o600)
    assert.deepEqual(await readdir(directory), ['mark.json'])
  })

  test('leaves nothing when it cannot be finished', async ({ assert }) => {
    const path = join(directory, 'taken')
    await mkdir(path)
    await assert.rejects(() => writeWhole(path, 'text'))
    assert.deepEqual(await readdir(directory), ['taken'])
  })
})
