/** Files of one set: what a user can look at in one sitting. */
export const maxSetOperations = 100;
