import { ZOOM_STEP, type Camera } from './camera'

const STEP_PX = 80

/** What keys do while the plan has the focus. */
export function planKeys(camera: Camera, { fit, clear }: { fit: () => void; clear: () => void }) {
  const acts: Record<string, () => void> = {
    '+': () => camera.zoom(ZOOM_STEP),
    '=': () => camera.zoom(ZOOM_STEP),
    '-': () => camera.zoom(1 / ZOOM_STEP),
    '0': fit,
    'ArrowLeft': () => camera.move(STEP_PX, 0),
    'ArrowRight': () => camera.move(-STEP_PX, 0),
    'ArrowUp': () => camera.move(0, STEP_PX),
    'ArrowDown': () => camera.move(0, -STEP_PX),
    'Escape': clear,
  }
  return (event: KeyboardEvent) => {
    const act = acts[event.key]
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act()
  }
}
