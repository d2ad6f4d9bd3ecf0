import type { MailLine } from '#finance/mails/mails_props'

export const isOnItsWay = ({ state }: MailLine) => state === 'queued' || state === 'sending'
