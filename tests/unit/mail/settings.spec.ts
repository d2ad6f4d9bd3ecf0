import { isAddress } from '#mail/address'
import { readAddresses, readSender, readServer } from '#mail/settings'
import { delayAfter } from '#reporting/mails/deliver_mail/retry'
import { test } from '@japa/runner'

test.group('Mail settings', () => {
  test('a server URL gives host and login, and without a port 465 for smtps and 587 for smtp', ({
    assert,
  }) => {
    assert.deepEqual(readServer('smtp://books:p%40ss%2F1@mail.example.kz:2525'), {
      host: 'mail.example.kz',
      port: 2525,
      isSecure: false,
      login: { user: 'books', pass: 'p@ss/1' },
    })
    assert.include(readServer('smtps://mail.example.kz'), {
      port: 465,
      isSecure: true,
      login: null,
    })
    assert.include(readServer('smtp://[::1]'), { host: '::1', port: 587 })
  })

  test('an invalid server is reported without its password', ({ assert }) => {
    for (const text of ['mail.example.kz', 'https://a:secret@b', 'smtp://', ''])
      assert.throws(() => readServer(text), /^SMTP_URL is not smtp:/)
  })

  test('whoever is on duty is named by addresses with commas between them', ({ assert }) => {
    assert.deepEqual(readAddresses(' a@example.kz,b@example.kz , '), [
      'a@example.kz',
      'b@example.kz',
    ])
    assert.deepEqual(readAddresses(''), [])
    assert.throws(() => readAddresses('a@example.kz, nobody'), /ON_DUTY_EMAILS: nobody/)
  })

  test('the sender is an address with an optional name', ({ assert }) => {
    const address = 'settlement@example.kz'
    assert.deepEqual(readSender(address), { name: '', address })
    assert.deepEqual(readSender(`Расчёты <${address}>`), { name: 'Расчёты', address })
    assert.deepEqual(readSender(`"Расчёты, ТОО" <${address}>`), { name: 'Расчёты, ТОО', address })
    for (const text of [
      '',
      'nobody',
      `${address}, other@example.kz`,
      `A\r\nBcc: b@c.kz <${address}>`,
    ])
      assert.throws(() => readSender(text), /MAIL_FROM/)
  })

  test('an address is ASCII with one @ and a domain name with a dot, and nothing else besides', ({
    assert,
  }) => {
    for (const good of ['a@b.kz', 'first.last+tag@mail.example.com', "o'neil@x-y.museum"])
      assert.isTrue(isAddress(good), good)
    const long = `${'a'.repeat(65)}@b.kz`
    for (const bad of ['', 'a', 'a@b', '@b.kz', 'a@', 'a@@b.kz', 'a@b..kz', '.a@b.kz', 'a.@b.kz'])
      assert.isFalse(isAddress(bad), bad)
    for (const bad of [
      long,
      'a b@c.kz',
      'a@b.kz\n',
      '<a@b.kz>',
      'a@b.kz,c@d.kz',
      'a@10.0.0.1',
      'а@б.каз',
    ])
      assert.isFalse(isAddress(bad), bad)
  })

  test('retries come at growing intervals', ({ assert }) => {
    const minutes = [1, 2, 3, 4, 5, 6, 20].map((attempts) => delayAfter(attempts) / 60)
    assert.deepEqual(minutes, [1, 5, 30, 120, 360, 360, 360])
  })
})
