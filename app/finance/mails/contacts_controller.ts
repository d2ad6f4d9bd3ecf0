import { contactValidator, newContactValidator } from '#finance/mails/mail_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import { AddContact, ChangeContact, RemoveContact } from '#reporting/mails/actions/contacts'
import type { HttpContext } from '@adonisjs/core/http'

export default class ContactsController {
  async store(ctx: HttpContext) {
    const contact = await ctx.request.validateUsing(newContactValidator)
    const partnerCode = String(ctx.params.code)
    await new AddContact().handle({ ...contact, partnerCode, actor: ctx.actor })
    return redirectWithNotice(ctx, 'mails.contact_added')
  }

  async update(ctx: HttpContext) {
    const change = await ctx.request.validateUsing(contactValidator)
    const contactId = idOf(ctx, 'contact')
    await new ChangeContact().handle({ ...change, contactId, actor: ctx.actor })
    return redirectWithNotice(ctx, 'mails.contact_changed')
  }

  async destroy(ctx: HttpContext) {
    await new RemoveContact().handle({ contactId: idOf(ctx, 'contact'), actor: ctx.actor })
    return redirectWithNotice(ctx, 'mails.contact_removed')
  }
}
