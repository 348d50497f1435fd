/** Events of the Messages wire. */

/** @param more fields of the message */
export const messageStart = (more: object = {}) => ({
	type: 'message_start',
	message: {id: 'msg_1', type: 'message', model: 'm-test', stop_reason: null, ...more},
});

export const block = (content: object) => ({type: 'content_block_start', content_block: content});
export const delta = (change: object) => ({type: 'content_block_delta', delta: change});
export const text = (piece: string) => delta({type: 'text_delta', text: piece});
export const json = (piece: string) => delta({type: 'input_json_delta', partial_json: piece});
export const blockEnd = {type: 'content_block_stop'};

export const messageEnd = (reason: string) => [
	{type: 'message_delta', delta: {stop_reason: reason}, usage: {output_tokens: 5}},
	{type: 'message_stop'},
];
