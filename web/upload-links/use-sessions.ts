import { type InfiniteData, useInfiniteQuery } from '@tanstack/preact-query'
import type { UploadSession } from '../../client/src/index.ts'
import { media } from '../api/media.ts'
import { locale } from '../text/locale.ts'
import { forgetUrls } from './kept-links.ts'

const PAGE_SIZE = 20
const PAUSE_MS = 5000

export const SESSIONS_KEY = ['upload-sessions']

const ACCEPTING: UploadSession['status'][] = ['pending', 'uploading']

/** True while the link of the session accepts a file. */
export const isAccepting = ({ status }: UploadSession): boolean => ACCEPTING.includes(status)

const isOpen = (each: UploadSession) => isAccepting(each) || each.status === 'processing'

/** Reads the upload sessions, newest first, again and again as long as a file can arrive. */
export function useSessions() {
  return useInfiniteQuery({
    queryKey: [...SESSIONS_KEY, locale.value],
    queryFn: async ({ pageParam }) => {
      const found = await media.value.uploadSessions.list({ limit: PAGE_SIZE, offset: pageParam })
      forgetUrls(found.filter((each) => !isAccepting(each)).map(({ id }) => id))
      return found
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? null : pages.length * PAGE_SIZE),
    refetchInterval: ({ state }) => {
      const data = state.data as InfiniteData<UploadSession[]> | undefined
      return data?.pages.flat().some(isOpen) ? PAUSE_MS : false
    },
  })
}
