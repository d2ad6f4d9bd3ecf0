import { computed, ref, type Ref } from 'vue'

/** What a dialog is about: it is open while there is something, and closing it forgets it. */
export function useSubject<Subject>() {
  const subject = ref(null) as Ref<Subject | null>
  const isOpen = computed({
    get: () => subject.value !== null,
    set: (opens) => {
      if (!opens) subject.value = null
    },
  })
  return { subject, isOpen }
}
