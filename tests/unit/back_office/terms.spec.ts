import { FORBIDDEN_WORDS } from '#tests/support/forbidden_words'
import { MAIL_WORDS } from '#reporting/mails/deliver_mail/mail_words'
import { LANGUAGES, type Language } from '#shared/languages'
import { LABELS, RULES, STAMPS } from '#tickets/pdf/ticket_words'
import { WORDS } from '#workbooks/words/words'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readdir, readFile } from 'node:fs/promises'

type Texts = [key: string, text: string][]

/** Every text under a node with its path; functions are left out. */
function textsIn(node: unknown, path: string): Texts {
  if (typeof node === 'string') return [[path, node]]
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, child]) => textsIn(child, `${path}.${key}`))
}

async function textsOfPages(language: Language): Promise<Texts> {
  const folder = app.makePath('resources/lang', language)
  const entries = await readdir(folder)
  const files = entries.filter((file) => file.endsWith('.json'))
  const texts = await Promise.all(
    files.map(async (file) =>
      textsIn(JSON.parse(await readFile(`${folder}/${file}`, 'utf8')), file)
    )
  )
  return texts.flat()
}

/** The texts of tickets have their languages as last keys. */
const textsOfTickets = (language: Language) =>
  textsIn({ LABELS, STAMPS, RULES }, 'ticket').filter(([key]) => key.endsWith(`.${language}`))

async function allTexts(language: Language): Promise<Texts> {
  return [
    ...(await textsOfPages(language)),
    ...textsIn(WORDS[language], 'workbook'),
    ...textsIn(MAIL_WORDS[language], 'mail'),
    ...textsOfTickets(language),
  ]
}

test.group('Terms', () => {
  test('no text in {$self} has a word that breaks a term')
    .with([...LANGUAGES])
    .run(async ({ assert }, language) => {
      const texts = await allTexts(language)
      assert.isAbove(texts.length, 2_000)
      const broken = texts.flatMap(([key, text]) =>
        FORBIDDEN_WORDS[language]
          .filter(({ pattern, except }) => pattern.test(text) && !except?.test(key))
          .map(({ pattern, use }) => `${key}: “${pattern.exec(text)![0]}”, write ${use}`)
      )
      assert.deepEqual(broken, [])
    })

  test('every forbidden word is recognised')
    .with([
      ['ru', 'Дефекты по кодам'],
      ['ru', 'Запросил(а) {person}'],
      ['kk', 'Ақаулар'],
      ['kk', '{at} дейін'],
      ['en', 'Match anew'],
    ] as const)
    .run(({ assert }, [language, text]) => {
      assert.isTrue(
        FORBIDDEN_WORDS[language].some(({ pattern }) => pattern.test(text)),
        text
      )
    })
})
