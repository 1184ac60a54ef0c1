/**
 * Tags in which ffmpeg and mkvmerge store the duration of a Matroska track. The format itself has no field for it.
 */
export const LENGTH_TAGS = ['DURATION', 'DURATION-eng']
/** Tags that identify statistics written by mkvmerge. */
export const STATISTICS_TAGS = ['_STATISTICS_WRITING_APP', '_STATISTICS_WRITING_APP-eng']

/** The tags that collectDeclaredTimes reads. */
export const TIME_TAGS = [...LENGTH_TAGS, ...STATISTICS_TAGS]
