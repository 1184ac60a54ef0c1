import { scheduler } from 'node:timers/promises'

// A global in Workers, which the use cases of the edge rely on. Scripts that call them in Node import this file.
Object.assign(globalThis, { scheduler })
