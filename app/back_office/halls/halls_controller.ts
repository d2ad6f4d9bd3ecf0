import { urlFor } from '@adonisjs/core/services/url_builder'
import type { ServerProps } from '#staff_area/page_props'
import type { HallPreview, HallsPage, NewHallPage } from '#back_office/halls/halls_props'
import { previewHall } from '#back_office/halls/hall_preview'
import { listHalls, venueChoices } from '#back_office/halls/list_halls'
import { messages } from '#staff_area/form_fields'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { readTextFiles } from '#staff_area/upload'
import ImportHall from '#catalog/actions/import_hall'
import { MAX_PLAN_BYTES } from '#catalog/hall_plan'
import { MAX_LIST_BYTES } from '#catalog/seat_list'
import type { LocalizedText } from '#shared/localized_text'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const LONGEST_NAME = 200
const LONGEST_ID = 40
const LIMITS = { plan: MAX_PLAN_BYTES, seats: MAX_LIST_BYTES }

const name = () => vine.string().trim().maxLength(LONGEST_NAME)
const names = () =>
  vine.object({ ru: name().minLength(1), kk: name().optional(), en: name().optional() })
const hallValidator = vine.create({
  /** Omitted for a new venue. */
  venueId: vine.string().maxLength(LONGEST_ID).optional().requiredIfMissing('venueName'),
  venueName: names().optional(),
  name: names(),
})
hallValidator.messagesProvider = messages

export default class HallsController {
  async index({ inertia }: HttpContext) {
    return inertia.render('halls/index', {
      halls: await listHalls({}),
    } satisfies ServerProps<HallsPage>)
  }

  async create({ inertia, session }: HttpContext) {
    const preview = session.flashMessages.get('hallPreview') as HallPreview | undefined
    return inertia.render('halls/new', {
      venues: await venueChoices({}),
      limits: LIMITS,
      preview: preview ?? null,
    } satisfies ServerProps<NewHallPage>)
  }

  /** Reads the files and shows what is in them; nothing is stored. */
  async check(ctx: HttpContext) {
    const { plan, seats } = await readTextFiles(ctx, LIMITS)
    const preview = await previewHall({ planSvg: plan, seatsCsv: seats })
    ctx.session.flash('hallPreview', preview)
    return ctx.response.redirect().toRoute('back_office.halls.new')
  }

  async store(ctx: HttpContext) {
    const { plan, seats } = await readTextFiles(ctx, LIMITS)
    const input = await ctx.request.validateUsing(hallValidator)
    const { venueId, venueName } = input
    const imported = await new ImportHall().handle({
      venue: venueName ? { name: localized(venueName) } : { id: venueId! },
      name: localized(input.name),
      planSvg: plan,
      seatsCsv: seats,
      actor: ctx.actor,
    })
    return redirectWithNotice(
      ctx,
      'halls.imported',
      { seats: imported.seats },
      urlFor('back_office.halls')
    )
  }
}

/** Languages that are left empty are omitted. */
const localized = ({ ru, kk, en }: { ru: string; kk?: string; en?: string }): LocalizedText => ({
  ru,
  ...(kk && { kk }),
  ...(en && { en }),
})
