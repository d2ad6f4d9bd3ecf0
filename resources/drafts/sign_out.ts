import { router, usePage } from '@inertiajs/vue3'
import { forgetDrafts, hasUnsentDrafts } from '~/drafts/keep'
import { ask } from '~/drafts/leaving'
import { urlFor } from '~/routes'

/** Signs out and removes the person's drafts: somebody else may use the browser next. Asks first where there are any. */
export async function signOut() {
  const id = usePage().props.signedIn?.id
  const forget = () => {
    if (id !== undefined) forgetDrafts(id)
  }
  if (id !== undefined && hasUnsentDrafts(id) && (await ask('sign_out')) === 'stay') return
  router.post(urlFor('back_office.sign_out'), {}, { onSuccess: forget })
}
