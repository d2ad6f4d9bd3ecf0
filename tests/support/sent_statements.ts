import pg from 'pg'

/** Names of the statements that this process sends to PostgreSQL while `act` runs, in the order of the alphabet. */
export async function statementsDuring(act: () => Promise<unknown>): Promise<string[]> {
  const names = new Set<string>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...sent: [{ name?: string }]) {
    if (sent[0].name) names.add(sent[0].name)
    return Reflect.apply(query, this, sent)
  } as typeof query
  try {
    await act()
  } finally {
    pg.Client.prototype.query = query
  }
  return [...names].toSorted()
}
