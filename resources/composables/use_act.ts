import { router } from '@inertiajs/vue3'
import { useToast } from '@nuxt/ui/composables'
import { ref } from 'vue'
import { told } from '~/texts/texts'

/** An act that needs no asking: one at a time, and a refusal is told. */
export function useAct() {
  const toast = useToast()
  const isActing = ref(false)
  const act = (url: string, data = {}) =>
    router.post(url, data, {
      preserveScroll: true,
      onStart: () => (isActing.value = true),
      onFinish: () => (isActing.value = false),
      onError: (errors) =>
        toast.add({
          title: Object.values(errors).map(told).join(' '),
          color: 'error',
          icon: 'i-lucide-circle-alert',
        }),
    })
  return { act, isActing }
}
