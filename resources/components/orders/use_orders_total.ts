import type { OrderFilters, OrdersTotal } from '#back_office/orders/orders_props'
import { onUnmounted, shallowRef, watch } from 'vue'
import { urlFor } from '~/routes'

/**
 * How many orders the filters find: undefined until they are counted, null when no answer came. Asked for apart from the list, which is
 * there sooner; an answer to earlier filters is dropped.
 */
export function useOrdersTotal(filters: () => OrderFilters) {
  const total = shallowRef<OrdersTotal | null>()
  let question = new AbortController()

  async function ask(address: string) {
    question.abort()
    const { signal } = (question = new AbortController())
    total.value = undefined
    const answer = await fetch(address, { headers: { Accept: 'application/json' }, signal }).catch(
      () => null
    )
    const counted: OrdersTotal | null = answer?.ok ? await answer.json().catch(() => null) : null
    if (!signal.aborted) total.value = counted
  }
  const address = () => {
    const { q, partner, event, status } = filters()
    return urlFor('back_office.orders.total', {}, { qs: { q, partner, event, status } })
  }
  watch(address, ask, { immediate: true })
  onUnmounted(() => question.abort())
  return total
}
