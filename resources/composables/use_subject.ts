import { computed, ref, type Ref } from 'vue'

/** The subject of a dialog: the dialog is open while there is one, and closing it clears it. */
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
