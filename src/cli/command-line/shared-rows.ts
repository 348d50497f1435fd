/** Rows shared with other commands, reworded for them. */
import {optionRows} from '../../settings/options/option-rows.ts';

const {baseUrl, profile, insecureHttp, verbose, output} = optionRows;
const {apiKeyFile, authHeader, header, caFile, connectTimeout} = optionRows;

/** Rows for commands asking the service for its models. */
export const serviceRows = {
	baseUrl,
	profile,
	apiKeyFile,
	authHeader,
	header,
	insecureHttp,
	caFile,
	connectTimeout,
};

/** List commands have no events. */
export const listOutput = {...output, summary: 'print text, json, or jsonl (one line each)'};

/** Commands without requests only have our own mistakes to explain. */
export const verboseOnly = {...verbose, summary: "print an unexpected error's stack"};
