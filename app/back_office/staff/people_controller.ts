import { RIGHTS } from '#staff_area/permissions'
import { listFailedNetworks, listStaff, readStaff } from '#back_office/staff/list_staff'
import {
  STAFF_FILTERS,
  type NewStaffPage,
  type StaffListPage,
  type StaffPage,
} from '#back_office/staff/staff_props'
import type { ServerProps } from '#staff_area/page_props'
import { newStaffValidator } from '#back_office/staff/staff_validators'
import { filtersOf } from '#staff_area/lists'
import { flashSecret, takeFlashedSecret } from '#staff_area/flash_secret'
import { refuse } from '#shared/refusals'
import CreateStaff from '#staff/actions/create_staff'
import { ROLES } from '#staff/role'
import { MOST_WRONG_CODES } from '#staff/second_factor'
import type { HttpContext } from '@adonisjs/core/http'

export default class PeopleController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, STAFF_FILTERS)
    const people = await listStaff(filters)
    return ctx.inertia.render('staff/index', {
      filters,
      people,
      roles: [...ROLES],
    } satisfies ServerProps<StaffListPage>)
  }

  async create({ inertia }: HttpContext) {
    return inertia.render('staff/new', { roles: [...ROLES] } satisfies ServerProps<NewStaffPage>)
  }

  async store(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(newStaffValidator)
    const { id, password } = await new CreateStaff().handle({ ...input, actor: ctx.actor })
    flashSecret(ctx, password)
    return ctx.response.redirect().toRoute('back_office.staff.show', { id })
  }

  async show(ctx: HttpContext) {
    const person = await readStaff.first({ paramsId: Number(ctx.params.id) })
    if (!person) refuse('NO_SUCH', { what: 'staff member' })
    const failedNetworks = await listFailedNetworks({ personId: person.id })
    const temporaryPassword = takeFlashedSecret<string>(ctx)
    const isSelf = person.id === ctx.auth.use('staff').getUserOrFail().id
    return ctx.inertia.render('staff/show', {
      member: person,
      failedNetworks,
      mostWrongCodes: MOST_WRONG_CODES,
      temporaryPassword,
      isSelf,
      roles: [...ROLES],
      rights: RIGHTS,
    } satisfies ServerProps<StaffPage>)
  }
}
