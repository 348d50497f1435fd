/** How a user names what is to be sent, for hints: by flags, or by the commands of a session. */
export type SendWords = {readonly file: string; readonly image: string};

export const flagWords: SendWords = {file: '-f', image: '--image'};
