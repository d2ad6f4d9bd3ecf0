import { router } from '@inertiajs/vue3'
import { useToast } from '@nuxt/ui/composables'
import { ref } from 'vue'
import { messageText } from '~/texts/texts'

/** Posts or puts without a dialog, one request at a time; a refusal is shown as a toast. */
export function usePost() {
  const toast = useToast()
  const isPosting = ref(false)
  const send = (method: 'post' | 'put', url: string, data: object, onSuccess?: () => void) =>
    router[method](url, data as Record<string, never>, {
      preserveScroll: true,
      preserveState: true,
      onSuccess,
      onStart: () => (isPosting.value = true),
      onFinish: () => (isPosting.value = false),
      onError: (errors) =>
        toast.add({
          title: Object.values(errors)
            .map((message) => messageText(message))
            .join(' '),
          color: 'error',
          icon: 'i-lucide-circle-alert',
        }),
    })
  return {
    post: (url: string, data = {}) => send('post', url, data),
    put: (url: string, data: object, onSuccess?: () => void) => send('put', url, data, onSuccess),
    isPosting,
  }
}
