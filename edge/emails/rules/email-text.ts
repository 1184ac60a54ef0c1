import type { Block, EmailContent, Footer } from './content.ts'

/** Renders the text part of an email. Blocks are separated by empty lines. */
export function renderText({ greeting, blocks }: EmailContent, footer: Footer): string {
  return `${[greeting, ...blocks.map(renderBlock), renderFooter(footer)].join('\n\n')}\n`
}

function renderFooter({ sender, support, unsubscribe }: Footer): string {
  return [
    '-- ',
    sender,
    ...(support === undefined ? [] : [`${support.introduction} ${support.label}`]),
    ...(unsubscribe === undefined ? [] : [`${unsubscribe.label}: ${unsubscribe.url}`]),
  ].join('\n')
}

function renderBlock(block: Block): string {
  if (typeof block === 'string') return block
  if ('code' in block) return `    ${block.code}`
  if ('figure' in block) return `    ${block.figure}`
  if ('facts' in block) return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  if ('list' in block) return block.list.map(({ title, outcome }) => `- ${title}: ${outcome}`).join('\n')
  if ('quote' in block) return block.quote
  const { label, url } = 'button' in block ? block.button : block.link
  return `${label}:\n${url}`
}
