import { DOMParser, XMLSerializer, type Element } from '@xmldom/xmldom'
import { createHash } from 'node:crypto'
import { refuseField } from '#shared/refusals'

const ELEMENTS = new Set(
  (
    'svg g path rect circle ellipse line polyline polygon text tspan title desc defs use symbol ' +
    'linearGradient radialGradient stop clipPath mask pattern'
  ).split(' ')
)
const ATTRIBUTES =
  /^(id|class|x|y|x1|x2|y1|y2|r|rx|ry|cx|cy|d|dx|dy|width|height|viewBox|points|transform|offset|version|xmlns|fill|stroke|opacity|color|display|visibility|role|lang|gradientUnits|gradientTransform|patternUnits|clip-path|mask|preserveAspectRatio|((fill|stroke|font|text|stop|aria|data)-[\w-]+)|text-anchor|dominant-baseline)$/
const INNER_LINK = /^#[\w.:-]+$/
export const MAX_PLAN_BYTES = 20 * 1024 * 1024

export interface HallPlan {
  svg: string
  /** SHA-256 of the cleaned SVG, hex; its address. */
  digest: string
  /** The ids of all elements; each seat of the hall must be one of them. */
  ids: Set<string>
}

/**
 * Reads an SVG plan and keeps only shapes and text: no script, style sheet, event handler, link,
 * image or entity survives. Refuses INVALID_PARAMETERS for what is not SVG.
 */
export function readHallPlan(source: string): HallPlan {
  if (source.length > MAX_PLAN_BYTES) refuseField('plan', 'size', 'The plan is larger than 20 MB')
  const root = parse(source)
  const ids = new Set<string>()
  clean(root, ids)
  const svg = new XMLSerializer().serializeToString(root)
  return { svg, digest: createHash('sha256').update(svg).digest('hex'), ids }
}

function parse(source: string): Element {
  if (/<!DOCTYPE|<!ENTITY/i.test(source))
    refuseField('plan', 'doctype', 'The plan must not declare a document type')
  try {
    const onError = (level: string, message: string) => {
      if (level !== 'warning') throw new Error(message)
    }
    const root = new DOMParser({ onError }).parseFromString(source, 'image/svg+xml').documentElement
    if (root?.localName === 'svg') return root
  } catch (error) {
    return refuseField(
      'plan',
      'svg',
      `The plan is not well-formed SVG: ${(error as Error).message.split('\n')[0]}`
    )
  }
  return refuseField('plan', 'svg', 'The plan is not an SVG document')
}

function clean(element: Element, ids: Set<string>) {
  for (const attribute of Array.from(element.attributes)) {
    const { name, value } = attribute
    const isInnerLink = (name === 'href' || name === 'xlink:href') && INNER_LINK.test(value)
    const isHarmless = ATTRIBUTES.test(name) && !/url\s*\(\s*(?!["']?#)|javascript:/i.test(value)
    if (!isInnerLink && !isHarmless) element.removeAttribute(name)
  }
  const id = element.getAttribute('id')
  if (id) ids.add(id)
  for (const child of Array.from(element.childNodes)) {
    const isText = child.nodeType === child.TEXT_NODE
    const isElement =
      child.nodeType === child.ELEMENT_NODE && ELEMENTS.has((child as Element).localName ?? '')
    if (isElement) clean(child as Element, ids)
    else if (!isText) element.removeChild(child)
  }
}
