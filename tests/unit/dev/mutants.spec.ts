import { test } from '@japa/runner'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadMutants, mutate } from '../../../dev/mutation/mutant.ts'
import { root } from '../../../dev/paths.ts'

test.group('Mutants', () => {
  test('every one changes one place of a file that exists', async ({ assert }) => {
    const wrong: string[] = []
    for (const mutant of await loadMutants()) {
      if (!('file' in mutant)) continue
      const path = join(root, mutant.file)
      try {
        const text = readFileSync(path, 'utf8')
        if (mutate(text, mutant) === text) wrong.push(`“${mutant.name}” changes nothing`)
      } catch (error) {
        wrong.push((error as Error).message)
      }
    }
    // Code that has moved takes its mutant with it: write the new text into tests/mutants.
    assert.deepEqual(wrong, [])
  })

  test('every one has a name of its own and specs that exist', async ({ assert }) => {
    const mutants = await loadMutants()
    const names = mutants.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
    const specs = mutants.flatMap((mutant) => mutant.specs)
    const missing = specs.filter((spec) => !existsSync(join(root, spec)))
    assert.deepEqual(missing, [])
    assert.isTrue(mutants.every((mutant) => mutant.specs.length > 0))
  })

  test('a text that stands twice in a file, or not at all, is refused', ({ assert }) => {
    const mutant = { name: 'x', file: 'y.ts', find: 'a', replace: '$&b', specs: [] }
    assert.equal(mutate('cad', mutant), 'c$&bd')
    assert.throws(() => mutate('aa', mutant), /2 times in y\.ts/)
    assert.throws(() => mutate('bb', mutant), /0 times in y\.ts/)
  })
})
