import { RUN_KINDS } from '#settlement/runs/kinds'
import { SCHEDULE } from '#start/schedule'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readdir, readFile } from 'node:fs/promises'

type Node = string | { [key: string]: Node }

/** Every text with the values it wants: `sign_in.throttled {minutes}`. */
function outline(node: Node, path = ''): string[] {
  if (typeof node !== 'string') {
    return Object.entries(node).flatMap(([key, child]) => outline(child, `${path}.${key}`))
  }
  const values = node.match(/\{\w+\}/g) ?? []
  return [[path, ...values.toSorted()].join(' ')]
}

async function outlines(language: string) {
  const folder = app.makePath('resources/lang', language)
  const entries = await readdir(folder)
  const files = entries.filter((file) => file.endsWith('.json'))
  const texts = await Promise.all(
    files.toSorted().map(async (file) => {
      const text = JSON.parse(await readFile(`${folder}/${file}`, 'utf8')) as Node
      return outline(text, file)
    })
  )
  return texts.flat()
}

test.group('Texts of the pages', () => {
  test('{$self} has every text that Russian has, with the same values')
    .with(['kk', 'en'])
    .run(async ({ assert }, language) => {
      assert.deepEqual(await outlines(language), await outlines('ru'))
    })

  test('every job of the schedule has a name in words', async ({ assert }) => {
    const file = app.makePath('resources/lang/ru/back_office.json')
    const { schedules } = JSON.parse(await readFile(file, 'utf8')) as Record<string, object>
    assert.sameMembers(
      Object.keys(schedules),
      SCHEDULE.map(({ name }) => name)
    )
  })

  test('every kind of run has a name in words', async ({ assert }) => {
    const file = app.makePath('resources/lang/ru/runs.json')
    const { run_kinds: kinds } = JSON.parse(await readFile(file, 'utf8')) as Record<string, object>
    assert.sameMembers(Object.keys(kinds), RUN_KINDS)
  })
})
