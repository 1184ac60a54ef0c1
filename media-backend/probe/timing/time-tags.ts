/** Matroska has no length of a track but what its writer noted: ffmpeg's name for it, and mkvmerge's. */
export const LENGTH_TAGS = ['DURATION', 'DURATION-eng']
/** By these mkvmerge says that it noted lengths. */
export const STATISTICS_TAGS = ['_STATISTICS_WRITING_APP', '_STATISTICS_WRITING_APP-eng']

/** The tags of a track that toldTimes goes by. */
export const TIME_TAGS = [...LENGTH_TAGS, ...STATISTICS_TAGS]
