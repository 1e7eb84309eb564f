// openapi-generator-cli generate -i $SLIPWAY_URL/v2/openapi.json -g java --library okhttp-gson --additional-properties disallowAdditionalPropertiesIfNotPresent=false --invoker-package dev.slipway --api-package dev.slipway.api --model-package dev.slipway.model -o .
import dev.slipway.ApiClient;
import dev.slipway.api.BuildApi;
import dev.slipway.api.PipelineApi;
import dev.slipway.model.Build;
import dev.slipway.model.PipelineCreateRequest;

public class Main {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("SLIPWAY_URL"));
    client.setBearerToken(System.getenv("SLIPWAY_TOKEN"));
    String organization = "demo";

    PipelineCreateRequest body = new PipelineCreateRequest()
        .name(arguments[0])
        .repository("https://git.example.com/demo/example.git")
        ._configuration("steps: []");
    String slug = new PipelineApi(client).pipelineCreate(organization, body, null).getSlug();
    Build build = new BuildApi(client).buildGet(organization, arguments[1], 1, null, null, null, null, null);
    System.out.println(slug + " " + build.getState() + " " + build.getJobs().get(0).getScriptJob().getExitStatus());
  }
}
