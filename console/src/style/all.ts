// Styles of all components of the library, which every page but the first one waits for.
import "@mantine/core/styles.layer.css";
