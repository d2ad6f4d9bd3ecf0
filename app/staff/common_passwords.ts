import { readFile } from 'node:fs/promises'

/** Where they come from is in `SOURCE.txt` next to it. */
const LIST = new URL('../../resources/passwords/common.txt', import.meta.url)

let common: Promise<Set<string>> | undefined

async function readList() {
  const text = await readFile(LIST, 'utf8')
  return new Set(text.trimEnd().split('\n'))
}

/** Whether this password, in whatever case, is among those that attackers try first. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readList()
  const passwords = await common
  return passwords.has(password.toLowerCase())
}
