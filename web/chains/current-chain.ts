import { effect, signal } from '@preact/signals'
import { onForget } from '../api/session.ts'
import { PERSONAL, readStored, store } from '../text/stored.ts'
import type { Chain } from './chain.ts'

const NAME = `${PERSONAL}chain`

/** The chain in the studio. It survives a reload. */
export const chain = signal<Chain>(readChain())

effect(() => store(NAME, chain.value.length === 0 ? null : JSON.stringify(chain.value)))

onForget(() => {
  chain.value = []
})

function readChain(): Chain {
  try {
    return JSON.parse(readStored(NAME) ?? '[]') as Chain
  } catch {
    return []
  }
}
