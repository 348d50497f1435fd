/** The way to send a file or an image, for hints: a flag, or a command of a session. */
export type SendWords = {readonly file: string; readonly image: string};

export const flagWords: SendWords = {file: '-f', image: '--image'};
