import { LANGUAGES } from '#shared/languages'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readdir, readFile } from 'node:fs/promises'

type Texts = Record<string, Record<string, string>>

/** What the code of confirms that were refused is called as a defect. */
const REFUSED = /refused\('([A-Z_]+)'/g
const WORD = /'([A-Z][A-Z_0-9]{2,})'/g
/** Answers of ours that no defect is called by itself. */
const ANSWERS = ['ORDER_EXPIRED', 'ORDER_CANCELLED', 'EVENT_CANCELLED', 'NO_SUCH']
const GROUPS = [
  'defect_codes',
  'defect_subclasses',
  'defect_hints',
  'severities',
  'parties',
  'faults',
  'partner_codes',
]

/** What gives findings their words besides the rules. */
const JUDGING = [
  'rule_sets/judge_case.ts',
  'facts/facts.ts',
  'facts/register_facts.ts',
  'facts/partner_tally.ts',
]

async function wordsOfRules() {
  const folder = app.makePath('app/defects')
  const rules = await readdir(`${folder}/rules`)
  const files = [...rules.map((name) => `rules/${name}`), ...JUDGING]
  const sources = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')))
  const source = sources.join('\n')
  const refused = [...source.matchAll(REFUSED)].map(([, code]) => `CONFIRM_${code}`)
  const words = [...source.matchAll(WORD)].map(([, word]) => word)
  return { refused, words: [...new Set([...words, ...refused])] }
}

test.group('Texts of defects', () => {
  test('every finding of the rules has a name, and every code has an explanation', async ({
    assert,
  }) => {
    const text = await readFile(app.makePath('resources/lang/ru/cases.json'), 'utf8')
    const texts = JSON.parse(text) as Texts
    const { refused, words } = await wordsOfRules()
    const nameless = words.filter(
      (word) => !ANSWERS.includes(word) && !GROUPS.some((group) => word in texts[group])
    )
    assert.deepEqual(nameless, [])
    assert.includeMembers(Object.keys(texts.defect_codes), refused)
    for (const group of ['partner_explained', 'partner_hints'])
      assert.sameMembers(Object.keys(texts[group]), Object.keys(texts.partner_codes))
    const codes = Object.keys(texts.defect_codes)
    assert.sameMembers(Object.keys(texts.defect_explained), codes)
    const withoutStory = codes.filter(
      (code) => code !== 'PAYMENT_REUSED' && !(code in texts.case_story)
    )
    assert.deepEqual(withoutStory, [])
  })

  test('the story of a case says that a second charge is one', async ({ assert }) => {
    for (const language of LANGUAGES) {
      const text = await readFile(app.makePath(`resources/lang/${language}/cases.json`), 'utf8')
      const { case_story: story } = JSON.parse(text) as Texts
      const [any, second] = ['MISSING_AT_PLATFORM', 'MISSING_AT_PLATFORM__SECOND_CHARGE']
      assert.isString(story[second])
      assert.notEqual(story[second], story[any])
    }
  })
})
