import jsQR from 'jsqr'

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

const EVERY_MS = 120
/** The code of a guest who has passed may stay in view; it counts again after it was gone for so long. */
const GONE_MS = 2_500
/** Enough for a code of 97 modules, and quick to search. */
const SIDE = 720

async function findDetector(): Promise<Detector | null> {
  const { BarcodeDetector: Found } = globalThis as { BarcodeDetector?: DetectorClass }
  const formats = await Found?.getSupportedFormats().catch((): string[] => [])
  return Found && formats?.includes('qr_code') ? new Found({ formats: ['qr_code'] }) : null
}

const canvas = document.createElement('canvas')

/** The middle of the picture, for browsers that cannot read codes by themselves. */
function searchMiddle(video: HTMLVideoElement): string | null {
  const side = Math.min(video.videoWidth, video.videoHeight)
  if (side === 0) return null
  canvas.width = canvas.height = Math.min(side, SIDE)
  const drawing = canvas.getContext('2d', { willReadFrequently: true })!
  const left = (video.videoWidth - side) / 2
  const top = (video.videoHeight - side) / 2
  drawing.drawImage(video, left, top, side, side, 0, 0, canvas.width, canvas.height)
  const { data, width, height } = drawing.getImageData(0, 0, canvas.width, canvas.height)
  return jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data || null
}

/** Shows the camera in `video` and reports every code that comes into view. Returns a function that stops it. */
export async function watchCamera(
  video: HTMLVideoElement,
  { found, isBusy }: { found: (text: string) => void; isBusy: () => boolean }
) {
  const picture = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } }
  const stream = await navigator.mediaDevices.getUserMedia({ video: picture, audio: false })
  video.srcObject = stream
  await video.play().catch(() => {})
  const detector = await findDetector()

  let last = ''
  let seenAt = 0
  let isStopped = false
  async function look() {
    if (isStopped) return
    const text = document.hidden ? null : await read()
    // A new code that comes while another one is judged waits in view.
    if (text && (text === last || !isBusy())) {
      const isNew = text !== last || (Date.now() - seenAt > GONE_MS && !isBusy())
      last = text
      seenAt = Date.now()
      if (isNew) found(text)
    }
    setTimeout(look, EVERY_MS)
  }
  const read = async () => {
    if (!detector) return searchMiddle(video)
    const codes = await detector.detect(video).catch(() => [])
    return codes[0]?.rawValue || null
  }
  void look()
  return () => {
    isStopped = true
    for (const track of stream.getTracks()) track.stop()
  }
}
