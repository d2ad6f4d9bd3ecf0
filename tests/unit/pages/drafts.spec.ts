import { test } from '@japa/runner'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const PAGES = join(import.meta.dirname, '../../../resources')
const SECRET = /PasswordField|type="password"|one-time-code/
const KEEPS = /useDraft\(|v-model:input/

test.group('Drafts', () => {
  test('no form with a password or a code keeps what is typed into its fields', async ({
    assert,
  }) => {
    const all = await readdir(PAGES, { recursive: true })
    const names = all.filter((name) => name.endsWith('.vue'))
    const files = await Promise.all(
      names.map(async (name) => ({ name, text: await readFile(join(PAGES, name), 'utf8') }))
    )
    const secret = files.filter(({ text }) => SECRET.test(text))
    assert.isAbove(secret.length, 3)
    assert.deepEqual(
      secret.filter(({ text }) => KEEPS.test(text)).map(({ name }) => name),
      []
    )
  })
})
