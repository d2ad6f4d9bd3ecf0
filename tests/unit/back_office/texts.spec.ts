import { CATEGORY_CODES, EVENT_STATUSES, EVENT_TYPES } from '#catalog/event_status'
import { CASE_STATES } from '#case_work/case_state'
import { REGISTER_STATES } from '#reconciliation/store/register_state'
import { ORDER_TRANSITIONS } from '#sales/order_status'
import { PARTNER_NEWS } from '#webhooks/partner_news'
import { FIELD_WORDS } from '#http/errors/field_words'
import { RULE_SETS } from '#defects/rule_sets/rule_sets'
import { WORDS } from '#workbooks/words/words'
import { INVARIANT_NAMES } from '#invariants/invariant_names'
import { RUN_KINDS } from '#runs/run_params'
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

async function textsOf(name: string) {
  const text = await readFile(app.makePath(`resources/lang/ru/${name}.json`), 'utf8')
  return JSON.parse(text) as Record<string, object>
}

test.group('Texts of the pages', () => {
  test('{$self} has every text that Russian has, with the same values')
    .with(['kk', 'en'])
    .run(async ({ assert }, language) => {
      assert.deepEqual(await outlines(language), await outlines('ru'))
    })

  test('every validation rule has a message', async ({ assert }) => {
    const known = await outlines('ru')
    for (const key of Object.values(FIELD_WORDS)) {
      const places = [`back_office.json.${key}`, key.replace('.', '.json.')]
      assert.isTrue(
        places.some((place) => known.includes(place)),
        key
      )
    }
  })

  test('every invariant has a name and a reason, and every code of its rules has words', async ({
    assert,
  }) => {
    const texts = await textsOf('invariants')
    assert.sameMembers(Object.keys(texts.invariant_names), INVARIANT_NAMES)
    assert.sameMembers(Object.keys(texts.invariant_reasons), INVARIANT_NAMES)
    const folder = app.makePath('app/invariants/rules')
    const files = await readdir(folder)
    const sources = [
      app.makePath('app/ledger/queries/find_breaches.ts'),
      ...files.map((file) => `${folder}/${file}`),
    ]
    const code = await Promise.all(sources.map((path) => readFile(path, 'utf8')))
    const codes = [
      ...code
        .join('')
        .matchAll(/(?:THEN|ELSE|SELECT|SELECT DISTINCT|code:) +'([A-Z]+(?:_[A-Z]+)+)'/g),
    ].map(([, name]) => name)
    assert.isAbove(codes.length, 30)
    assert.sameMembers([...new Set(codes)], Object.keys(texts.invariant_codes))
  })

  test('every scheduled job has a name', async ({ assert }) => {
    const file = app.makePath('resources/lang/ru/back_office.json')
    const { schedules } = JSON.parse(await readFile(file, 'utf8')) as Record<string, object>
    assert.sameMembers(
      Object.keys(schedules),
      SCHEDULE.map(({ name }) => name)
    )
  })

  test('every finding and threshold of the rules has a text', async ({ assert }) => {
    const [cases, rules] = await Promise.all([textsOf('cases'), textsOf('rules')])
    assert.sameMembers(Object.keys(cases.defect_codes), [
      ...new Set(RULE_SETS.flatMap(({ codes }) => codes)),
    ])
    assert.sameMembers(Object.keys(WORDS.ru.defects), Object.keys(cases.defect_codes))
    for (const { thresholds } of RULE_SETS) {
      const { shares, ...plain } = thresholds
      assert.sameMembers(Object.keys(rules.thresholds), Object.keys(plain))
      assert.includeMembers(Object.keys(cases.partner_codes), Object.keys(shares))
    }
  })

  test('statuses and kinds, which filters list by their texts, are those of the core', async ({
    assert,
  }) => {
    const common = await textsOf('back_office')
    assert.sameMembers(Object.keys(common.event_statuses), [...EVENT_STATUSES])
    assert.sameMembers(Object.keys(common.event_types), [...EVENT_TYPES])
    assert.sameMembers(Object.keys(common.categories), [...CATEGORY_CODES])
    assert.sameMembers(Object.keys(common.order_statuses), Object.keys(ORDER_TRANSITIONS))
    assert.sameMembers(Object.keys(common.order_counts), Object.keys(ORDER_TRANSITIONS))
    assert.includeMembers(Object.keys(common.journal), [...PARTNER_NEWS])
    const { case_states: caseStates } = await textsOf('cases')
    assert.sameMembers(Object.keys(caseStates), [...CASE_STATES])
    const { register_states: registerStates } = await textsOf('registers')
    assert.sameMembers(Object.keys(registerStates), [...REGISTER_STATES])
  })

  test('every kind of run has a name', async ({ assert }) => {
    const file = app.makePath('resources/lang/ru/runs.json')
    const { run_kinds: kinds } = JSON.parse(await readFile(file, 'utf8')) as Record<string, object>
    assert.sameMembers(Object.keys(kinds), [...RUN_KINDS])
  })
})
