import redis from '@adonisjs/redis/services/main'

/** A Redis that throws keys away when it is full would lose jobs without a word: no worker works with it. */
export function refuseEviction(refuse: (reason: string) => void) {
  const connection = redis.connection('queue').ioConnection
  const check = async () => {
    const memory = await connection.info('memory')
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1]
    if (policy !== undefined && policy !== 'noeviction')
      refuse(`Redis has maxmemory-policy ${policy}: set it to noeviction`)
  }
  const checkQuietly = () => void check().catch(() => {})
  if (connection.status === 'ready') checkQuietly()
  connection.on('ready', checkQuietly)
}
