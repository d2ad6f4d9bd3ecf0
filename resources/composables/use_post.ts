import { router } from '@inertiajs/vue3'
import { useToast } from '@nuxt/ui/composables'
import { ref } from 'vue'
import { messageText } from '~/texts/texts'

/** Posts without a dialog, one request at a time; a refusal is shown as a toast. */
export function usePost() {
  const toast = useToast()
  const isPosting = ref(false)
  const post = (url: string, data = {}) =>
    router.post(url, data, {
      preserveScroll: true,
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
  return { post, isPosting }
}
