import common from './back_office.json'
import account from './account.json'
import cases from './cases.json'
import events from './events.json'
import gate from './gate.json'
import grants from './grants.json'
import halls from './halls.json'
import invariants from './invariants.json'
import jobs from './jobs.json'
import journalPage from './journal_page.json'
import mails from './mails.json'
import orders from './orders.json'
import partners from './partners.json'
import plan from './plan.json'
import registers from './registers.json'
import rules from './rules.json'
import runs from './runs.json'
import savedViews from './saved_views.json'
import settlement from './settlement.json'
import staff from './staff.json'
import webhooks from './webhooks.json'
import whyHere from './why_here.json'

export default {
  ...common,
  ...cases,
  ...registers,
  ...rules,
  ...runs,
  ...mails,
  ...savedViews,
  ...invariants,
  account,
  events,
  gate,
  grants,
  halls,
  jobs,
  journal_page: journalPage,
  orders,
  partners,
  plan,
  settlement,
  staff,
  webhooks,
  why_here: whyHere,
}
