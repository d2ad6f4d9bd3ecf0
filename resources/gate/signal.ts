import type { VerdictCode } from './types.js'

let sound: AudioContext | undefined

/** Browsers allow sound only after a touch; the first one opens it. */
export function openSound() {
  sound ??= new AudioContext()
  if (sound.state === 'suspended') void sound.resume()
}

function tone(frequency: number, from: number, seconds: number) {
  if (!sound) return
  const at = sound.currentTime + from
  const voice = sound.createOscillator()
  const volume = sound.createGain()
  voice.frequency.value = frequency
  voice.type = 'square'
  volume.gain.setValueAtTime(0.15, at)
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds)
  voice.connect(volume).connect(sound.destination)
  voice.start(at)
  voice.stop(at + seconds)
}

/** One high tone for admitted, two low ones for refused. */
export function signal(verdict: VerdictCode, isMuted: boolean) {
  const isGood = verdict === 'admitted'
  navigator.vibrate?.(isGood ? 80 : [200, 80, 200])
  if (isMuted) return
  if (isGood) tone(1320, 0, 0.2)
  else {
    tone(220, 0, 0.25)
    tone(180, 0.3, 0.4)
  }
}
