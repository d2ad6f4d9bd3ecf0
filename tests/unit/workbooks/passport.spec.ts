import { passportLine, readPassport, type Passport } from '#workbooks/proof/passport'
import { test } from '@japa/runner'

const sha = (letter: string) => letter.repeat(64)
const passport: Passport = {
  version: 3,
  language: 'ru',
  partner: 'DEMO',
  statementId: 17,
  from: new Date('2026-08-31T19:00:00.000Z'),
  to: new Date('2026-09-30T19:00:00.000Z'),
  asOf: new Date('2026-10-02T05:00:00.000Z'),
  files: 1,
  rowsPerSheet: 200_000,
  fixedDataSha256: sha('a'),
  changeableDataSha256: sha('b'),
}
const line = `settlement-book 3 ru DEMO 17 2026-08-31T19:00:00.000Z 2026-09-30T19:00:00.000Z 2026-10-02T05:00:00.000Z 1 ${sha('a')} ${sha('b')} 200000`

test.group('The passport of a workbook', () => {
  test('a passport is one line, which is read back as it was written', ({ assert }) => {
    assert.equal(passportLine(passport), line)
    assert.deepEqual(readPassport(line), passport)
  })

  test('a malformed line is no passport', ({ assert }) => {
    for (const wrong of [
      line.replace(' ru ', ' de '),
      line.replace(' 17 ', ' -1 '),
      line.replace(sha('a'), 'a'),
      line.replace('2026-08-31T', 'yesterday'),
      `${line} more`,
    ]) {
      assert.isNull(readPassport(wrong))
    }
  })
})
