/** CUDA C++ while it is typed: see `typing-suite.ts`. */
import { testTyping } from "../../typing-suite.ts";

testTyping("cu");
